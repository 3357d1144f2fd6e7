/**
 * Do replays with nothing held agree with the recorded run? Each program is recorded several times, and each recording replayed twice; agreement is the same end and every turn of the
 * recorded run in its place. Programs: the drivers of test/node-bugs, wrong and fixed, and the correct programs of test/silence. Busy loops beside it make the load.
 *
 *   npm run bench:agreement [-- --load 16] [--recordings 5] [NAME…]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORPUS, FURTHER } from '../test/node-bugs/cases.ts'
import { installCase, ROOT } from '../test/node-bugs/install.ts'
import { run } from '../test/node-bugs/run.ts'
import { machine, table } from './measure.ts'

interface Subject {
  readonly name: string
  readonly words: readonly string[]
  readonly cwd: string
}

/** Of `heddle check --json`. */
interface Said {
  readonly plain: { readonly runs: number; readonly failed: number; readonly apart: number }
  readonly notes: readonly string[]
}

const REPLAYS = 2

const words = process.argv.slice(2)
function option(name: string, otherwise: number): number {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(words.splice(at, 2)[1])
}
const load = option('load', 0)
const recordings = option('recordings', 5)

async function subjects(): Promise<Subject[]> {
  const wanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word))
  const found: Subject[] = []
  for (const bug of [...CORPUS, ...FURTHER].filter(({ name }) => wanted(name))) {
    const cwd = await installCase(bug)
    for (const which of ['buggy', 'fixed']) found.push({ name: `${bug.name} ${which}`, words: ['driver.cjs', which], cwd })
  }
  const silent = mkdtempSync(join(tmpdir(), 'heddle-agreement-'))
  process.once('exit', () => rmSync(silent, { recursive: true, force: true }))
  cpSync(join(ROOT, 'test/silence/programs'), silent, { recursive: true })
  for (const file of readdirSync(silent).filter((name) => /\.[cm]?js$/.test(name) && wanted(name)))
    found.push({ name: file, words: [file], cwd: silent })
  return found
}

function busy(loops: number): () => void {
  const children: ChildProcess[] = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  const end = (): void => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', end)
  return end
}

const HEDDLE = join(ROOT, 'bin/heddle.js')
const rows: string[][] = [['program', 'replays', 'failed', 'another way', 'agree']]
const why: string[] = []
const total = { runs: 0, failed: 0, apart: 0, agree: 0 }
const all = await subjects()
const stop = busy(load)
for (const { name, words: program, cwd } of all) {
  const sum = { runs: 0, failed: 0, apart: 0, agree: 0 }
  for (let i = 0; i < recordings; i++) {
    const args = [
      'check',
      '--json',
      '--why-varies',
      '--history',
      'off',
      '--replays',
      String(REPLAYS),
      '--time',
      '600',
      '--',
      'node',
      ...program,
    ]
    const { out } = await run(process.execPath, [HEDDLE, ...args], cwd)
    rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
    if (out === '') continue
    const { plain, notes } = JSON.parse(out) as Said
    sum.runs += plain.runs
    sum.failed += plain.failed
    sum.apart += plain.apart
    // One that failed has gone another way as a rule: it counts once.
    sum.agree += plain.runs - Math.max(plain.failed, plain.apart)
    why.push(...notes.filter((note) => note.startsWith('With nothing held a run differs')).map((note) => `${name}: ${note}`))
  }
  rows.push([name, ...[sum.runs, sum.failed, sum.apart, sum.agree].map(String)])
  for (const key of ['runs', 'failed', 'apart', 'agree'] as const) total[key] += sum[key]
  if (process.stderr.isTTY) process.stderr.write(`\r${name.padEnd(40)}`)
}
stop()
rows.push(['all', ...[total.runs, total.failed, total.apart, total.agree].map(String)])
console.log(`${machine()}, ${load} busy loops beside it\n`)
console.log(table(rows))
console.log(
  `\nAgreement: ${((100 * total.agree) / Math.max(1, total.runs)).toFixed(1)} % of ${total.runs} replays of ${all.length} programs.`,
)
for (const line of [...new Set(why)].slice(0, 20)) console.log(line)
