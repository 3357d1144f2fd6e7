/**
 * Runs and seconds until the first failure, on the real bugs of test/node-bugs: (a) the program again and again, (b) again and again under
 * random delays (node-programs/random-delays.cjs, another seed each run), (c) `heddle check`. At most 100 runs or 60 s each. The versions
 * in which the bug is fixed run as well: what fails there is a false alarm.
 *
 *   npm run bench:alternatives [-- METHOD-OR-CASE…]      the methods are repetition, delays and heddle
 */
import { join } from 'node:path'
import { CORPUS, FURTHER, type BugCase } from '../test/node-bugs/cases.ts'
import { installCase, ROOT } from '../test/node-bugs/install.ts'
import { check, node, NoPassingRun } from '../test/node-bugs/run.ts'
import { machine, table } from './measure.ts'

const MOST_RUNS = 100
const MOST_MS = 60_000
const DELAYS = join(ROOT, 'bench/node-programs/random-delays.cjs')

interface Search {
  readonly runs: number
  readonly seconds: number
  readonly failed: boolean
}
type Which = 'buggy' | 'fixed'
type Method = (bug: BugCase, dir: string, which: Which) => Promise<Search>

interface Named {
  readonly name: string
  readonly method: Method
  /** A method that changes nothing has no false alarms. */
  readonly fixedToo: boolean
}
const METHODS: readonly Named[] = [
  { name: 'repetition', fixedToo: false, method: (_, dir, which) => repeat(() => node(['driver.cjs', which], dir)) },
  {
    name: 'delays',
    fixedToo: true,
    method: (_, dir, which) => repeat((run) => node(['--require', DELAYS, 'driver.cjs', which], dir, 20_000, { SEED: String(run) })),
  },
  { name: 'heddle', fixedToo: true, method: heddle },
]

const chosen = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] => {
  const some = list.filter(({ name }) => process.argv.includes(name))
  return some.length > 0 ? some : list
}
const methods = chosen(METHODS)
const cases = chosen([...CORPUS, ...FURTHER])
console.log(`${machine()}; runs / seconds until the first failure, at most ${MOST_RUNS} runs or ${MOST_MS / 1000} s`)
const rows = [['', ...methods.flatMap(({ name, fixedToo }) => (fixedToo ? [name, 'on fixed'] : [name]))]]
const found = new Map<string, number>()
const count = (name: string, failed: boolean): unknown => found.set(name, (found.get(name) ?? 0) + Number(failed))
for (const bug of cases) {
  const dir = await installCase(bug)
  const row: string[] = [bug.name]
  for (const { name, method, fixedToo } of methods) {
    const buggy = await method(bug, dir, 'buggy')
    count(name, buggy.failed)
    row.push(say(buggy))
    if (!fixedToo) continue
    const fixed = await method(bug, dir, 'fixed')
    count(`${name}, fixed`, fixed.failed)
    row.push(say(fixed))
  }
  console.error(row.join('  '))
  rows.push(row)
}
const total = (name: string): string => `${found.get(name)} of ${cases.length}`
rows.push(['failed', ...methods.flatMap(({ name, fixedToo }) => (fixedToo ? [total(name), total(`${name}, fixed`)] : [total(name)]))])
console.log(table(rows))

function say({ runs, seconds, failed }: Search): string {
  return failed ? `${runs} / ${seconds.toFixed(1)}` : `– (${runs} / ${seconds.toFixed(0)})`
}

async function repeat(once: (run: number) => Promise<{ readonly code: number | null }>): Promise<Search> {
  const start = performance.now()
  for (let run = 1; ; run++) {
    const { code } = await once(run)
    const ms = performance.now() - start
    if (code !== 0 || run === MOST_RUNS || ms > MOST_MS) return { runs: run, seconds: ms / 1000, failed: code !== 0 }
  }
}

/**
 * Counts every process: the recorded run (each attempt at it), the plain replays, those with a schedule. It stops at the first failure that
 * happens twice. Where no run that passes could be recorded it has found nothing.
 */
async function heddle(bug: BugCase, dir: string, which: Which): Promise<Search> {
  const limits = ['--time', String(MOST_MS / 1000), '--replays', String(MOST_RUNS - 1), '--max-findings', '1', '--confirm', '2']
  const start = performance.now()
  try {
    const checked = await check(['driver.cjs', which], [...limits, ...(bug.timers ? ['--timers', bug.timers] : [])], dir)
    const thrownAway = checked.json.notes.filter((note) => note.includes('A first attempt was thrown away')).length
    const runs = 1 + thrownAway + checked.json.replays
    return { runs, seconds: checked.ms / 1000, failed: checked.failed.length > 0 }
  } catch (error) {
    if (!(error instanceof NoPassingRun)) throw error
    return { runs: 1, seconds: (performance.now() - start) / 1000, failed: false }
  }
}
