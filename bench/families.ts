/**
 * The families that partial-order reduction is measured with, as little programs and as C programs: classes beside the runs that an optimal reduction has to make, runs for each class, and
 * time. `npm run bench:families [-- litmus|c]`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wrapper } from '../src/frontends/native/toolchain.ts'
import { exploreLitmus } from '../test/explore/explore-litmus.ts'
import { exponential, fib, lastzero, PUBLISHED, readers } from '../test/explore/families.ts'
import { mazurkiewicz } from '../test/explore/mazurkiewicz.ts'
import { compile } from '../test/frontends/litmus/compile.ts'
import { Threads } from '../test/frontends/litmus/threads.ts'
import { ROOT } from '../test/node-bugs/install.ts'
import { checkedFrom, node } from '../test/node-bugs/run.ts'

const FAMILIES = { readers, lastzero, fib, exponential } as const
type Family = keyof typeof FAMILIES
const SIZES: Readonly<Record<'litmus' | 'c', readonly (readonly [Family, readonly number[]])[]>> = {
  litmus: [
    ['readers', [2, 4, 6, 8]],
    ['lastzero', [2, 4, 6]],
    ['fib', [1, 2, 3]],
    ['exponential', [1, 2]],
  ],
  c: [
    ['readers', [2, 4, 6]],
    ['lastzero', [2, 4]],
    ['fib', [1, 2]],
    ['exponential', [1]],
  ],
}
/** States of a little program that are enumerated at most. */
const MOST_STATES = 2_000_000
/** Seconds for one C program. */
const MOST_SECONDS = 200

interface Row {
  readonly family: Family
  readonly n: number
  readonly classes: number
  readonly runs: number
  readonly ms: number
  /** What kept it from saying that all were run. */
  readonly left: string
}

const threadsOf = (family: Family, n: number): Threads => new Threads(compile(`${FAMILIES[family](n)}\n`))

function asLitmus(family: Family, n: number): Row {
  const begin = performance.now()
  const { frontier, runs } = exploreLitmus(threadsOf(family, n), undefined)
  const left = frontier.isComplete ? '' : `${frontier.left} left; ${Object.keys(frontier.undecided).join(', ')}`
  return { family, n, classes: frontier.classCount, runs, ms: performance.now() - begin, left }
}

async function asC(family: Family, n: number, cwd: string): Promise<Row> {
  const program = join(cwd, `${family}-${n}`)
  execFileSync(wrapper('C'), ['-g', '-pthread', `-DN=${n}`, '-o', program, join(ROOT, 'bench/families', `${family}.c`)], { stdio: 'pipe' })
  const begin = performance.now()
  const options = ['--json', '--exhaustive', '--time', String(MOST_SECONDS)]
  const ended = await node([join(ROOT, 'bin/heddle.js'), 'check', ...options, '--', program], cwd, 2_000 * MOST_SECONDS)
  const ms = performance.now() - begin
  const row = checkedFrom(ended).json.coverage.find(({ predictor }) => predictor === 'exploration')
  const left = row ? [...Object.keys(row.notLookedAt), ...Object.keys(row.unknown)].join(', ') : 'not explored'
  // The recorded run is one of them.
  return { family, n, classes: row?.facts['classes'] ?? 0, runs: 1 + (row?.facts['runs'] ?? 0), ms, left }
}

/** Runs of an optimal reduction: published, or counted. */
function optimalOf(family: Family, n: number): string {
  const published = PUBLISHED[family]?.(n)
  if (published !== undefined) return String(published)
  const counted = mazurkiewicz(threadsOf(family, n), MOST_STATES)
  return counted === undefined ? 'more than could be counted' : `${counted} (counted)`
}

const asked = process.argv.slice(2)
const cwd = mkdtempSync(join(tmpdir(), 'heddle-families-'))
try {
  console.log(
    '| as | program | optimal reduction | classes | runs | runs a class | ms a run | s | left |\n|---|---|---|---|---|---|---|---|---|',
  )
  for (const kind of ['litmus', 'c'] as const) {
    if (asked.length > 0 && !asked.includes(kind)) continue
    for (const [family, sizes] of SIZES[kind])
      for (const n of sizes) {
        const { classes, runs, ms, left } = kind === 'c' ? await asC(family, n, cwd) : asLitmus(family, n)
        const figures = [optimalOf(family, n), classes, runs, (runs / classes).toFixed(2), (ms / runs).toFixed(1), (ms / 1000).toFixed(1)]
        console.log(`| ${[kind, `${family}(${n})`, ...figures, left].join(' | ')} |`)
      }
  }
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
