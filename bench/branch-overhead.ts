/**
 * What `--branches` adds to recording: programs plain, recorded, and recorded with branches, in turn and in fresh processes. Those of bench/node-programs measure
 * their work themselves (processor time of all threads, without start-up); of the others the whole process counts, so that most of it is start-up.
 *
 *   npm run bench:branch-overhead [-- REPEATS [NAME …]]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUN_VARIABLE, type RunConfig } from '../src/runtime/js/protocol.ts'
import { ROOT } from '../test/node-bugs/install.ts'
import { machine, mean, min, table } from './measure.ts'

const FOLDER = join(ROOT, '.heddle/branch-overhead')
const [repeats = '3', ...only] = process.argv.slice(2)
const LIMIT_MS = 300_000

/** The second part says whether the program measures itself. */
const PROGRAMS: readonly (readonly [name: string, own: boolean, ...words: string[]])[] = [
  ['compute', true, 'bench/node-programs/compute.mjs', '3000'],
  ['promises', true, 'bench/node-programs/promises.js', '10000'],
  ['acorn', true, 'bench/node-programs/parse.cjs', '1'],
  ['prettier', true, 'bench/node-programs/format.mjs', '20'],
  ['counter, 2 workers', true, 'bench/node-programs/shared.mjs', '2', 'counter', '30000'],
  ['sieve, 2 workers', true, 'bench/node-programs/shared.mjs', '2', 'sieve', '60000'],
  ['tickets', false, 'examples/tickets.js'],
  ['shop', false, 'examples/shop.mjs'],
  ['stock', false, 'examples/stock.mjs'],
]

type Way = 'plain' | 'recorded' | 'branches'
const WAYS: readonly Way[] = ['plain', 'recorded', 'branches']

interface Measured {
  readonly ms: number
  readonly cpu: number
  readonly work: unknown
  /** Bytes of the trace, and of the paths beside it. */
  readonly trace: number
  readonly paths: number
}

console.log(`${machine()}; ${repeats} runs each; least times; ratios: least against least, in brackets the mean of the ratios of pairs`)
const rows = [
  [
    '',
    'plain ms',
    'recorded',
    'branches',
    'branches / recorded',
    'branches / plain',
    'wall: branches / recorded',
    'trace kB',
    'with branches',
    'paths kB',
  ],
]
for (const [name, own, ...words] of PROGRAMS.filter(([name]) => only.length === 0 || only.some((part) => name.includes(part)))) {
  const runs: Record<Way, Measured[]> = { plain: [], recorded: [], branches: [] }
  let failure: string | undefined
  for (let i = 0; i < Number(repeats) && !failure; i++) {
    for (const way of WAYS) {
      const run = measure(words, own, way)
      if (typeof run === 'string') failure ??= `${way}: ${run}`
      else runs[way].push(run)
    }
  }
  if (failure !== undefined) {
    rows.push([name, failure])
    continue
  }
  const works = new Set(WAYS.flatMap((way) => runs[way].map((run) => JSON.stringify(run.work))))
  const least = (way: Way): number => min(runs[way].map((run) => run.cpu))
  const ratio = (of: Way, to: Way, pick: (run: Measured) => number): string => {
    const each = runs[of].map((run, i) => pick(run) / pick(runs[to][i]!))
    return `${(min(runs[of].map(pick)) / min(runs[to].map(pick))).toFixed(1)} (${mean(each).toFixed(1)})`
  }
  const kB = (bytes: number): string => Math.round(bytes / 1000).toLocaleString('en')
  rows.push([
    works.size === 1 ? name : `${name} (differs!)`,
    ...WAYS.map((way) => least(way).toFixed(0)),
    ratio('branches', 'recorded', (run) => run.cpu),
    ratio('branches', 'plain', (run) => run.cpu),
    ratio('branches', 'recorded', (run) => run.ms),
    kB(runs.recorded.at(-1)!.trace),
    kB(runs.branches.at(-1)!.trace),
    kB(runs.branches.at(-1)!.paths),
  ])
}
console.log(table(rows))

/** A sentence when it failed. */
function measure(words: readonly string[], own: boolean, way: Way): Measured | string {
  const folder = join(FOLDER, 'run')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const config: RunConfig = {
    mode: 'record',
    trace: join(folder, 'trace.heddle'),
    report: join(folder, 'report.json'),
    timers: 'due',
    root: ROOT,
    include: [],
    exclude: [],
    detail: false,
    ...(way === 'branches' ? { branches: {} } : {}),
  }
  const path = join(folder, 'config.json')
  writeFileSync(path, JSON.stringify(config))
  const register = way === 'plain' ? [] : ['--import', join(ROOT, 'dist/preload/register.js')]
  const start = performance.now()
  const child = spawnSync(process.execPath, [...register, join(ROOT, words[0]!), ...words.slice(1)], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...(way === 'plain' ? {} : { [RUN_VARIABLE]: path }) },
  })
  const wall = performance.now() - start
  if (child.signal) return `more than ${LIMIT_MS / 1000} s`
  if (child.status !== 0) return `ended with ${child.status}: ${child.stderr.trim().split('\n').at(-1)}`
  const sizes = { trace: bytesIn(folder, 'paths'), paths: bytesIn(join(folder, 'paths')) }
  if (!own) return { ms: wall, cpu: wall, work: '', ...sizes }
  const { ms, cpu, work } = JSON.parse(child.stdout.trim().split('\n').at(-1)!) as Measured
  return { ms, cpu, work, ...sizes }
}

function bytesIn(folder: string, without?: string): number {
  if (!existsSync(folder)) return 0
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === without) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) sum += bytesIn(path)
    else if (entry.name.endsWith('.heddle')) sum += statSync(path).size
  }
  return sum
}
