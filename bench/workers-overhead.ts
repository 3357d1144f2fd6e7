/**
 * What recording costs programs whose threads share memory, and what the clocks of cells save against a single lock: each program plain,
 * recorded, and recorded with one clock for all cells, in turn and in fresh processes. The programs measure themselves, without the start of the
 * workers.
 *
 *   npm run bench:workers [-- REPEATS]
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUN_VARIABLE, type RunConfig } from '../src/runtime/js/protocol.ts'
import { ROOT } from '../test/node-bugs/install.ts'
import { machine, mean, min, spread, table } from './measure.ts'

const FOLDER = join(ROOT, '.heddle/workers-overhead')
const repeats = Number(process.argv[2] ?? 5)

interface Work {
  readonly ms: number
  readonly cpu: number
  readonly work: number
}

const PROGRAMS: readonly (readonly [name: string, ...words: string[]])[] = [
  ['sieve, 2 workers', '2', 'sieve', '400000'],
  ['sieve, 4 workers', '4', 'sieve', '400000'],
  ['one counter, 2 workers', '2', 'counter', '300000'],
  ['one counter, 4 workers', '4', 'counter', '150000'],
]

console.log(`${machine()}; ${repeats} runs each; times as least, mean ± deviation`)
const rows = [
  [
    '',
    'plain CPU ms',
    'recorded CPU ms',
    'ratio CPU',
    'ratio wall',
    'single lock CPU ms',
    'single lock / ours CPU',
    '… wall',
    'events',
    'µs CPU/event',
  ],
]
for (const [name, ...words] of PROGRAMS) {
  const runs: Record<'plain' | 'ours' | 'single', (Work & { events: number })[]> = { plain: [], ours: [], single: [] }
  for (let i = 0; i < repeats; i++) {
    runs.plain.push(measure(words))
    runs.ours.push(measure(words, {}))
    runs.single.push(measure(words, { stripes: 1 }))
  }
  if (new Set([...runs.plain, ...runs.ours, ...runs.single].map((run) => run.work)).size > 1)
    throw new Error(`${name} computed different things`)
  const ratio = (of: readonly Work[], to: readonly Work[], pick: (run: Work) => number): string =>
    `${(min(of.map(pick)) / min(to.map(pick))).toFixed(2)} (${mean(of.map((run, i) => pick(run) / pick(to[i]!))).toFixed(2)})`
  const cpu = (run: Work): number => run.cpu
  const wall = (run: Work): number => run.ms
  const { events } = runs.ours.at(-1)!
  rows.push([
    name,
    spread(runs.plain.map(cpu), 0),
    spread(runs.ours.map(cpu), 0),
    ratio(runs.ours, runs.plain, cpu),
    ratio(runs.ours, runs.plain, wall),
    spread(runs.single.map(cpu), 0),
    ratio(runs.single, runs.ours, cpu),
    ratio(runs.single, runs.ours, wall),
    events.toLocaleString('en'),
    ((min(runs.ours.map(cpu)) * 1000) / events).toFixed(2),
  ])
}
console.log(table(rows))
console.log('Ratios: least against least, in brackets the mean of the ratios of runs next to each other.')
rmSync(FOLDER, { recursive: true, force: true })

function measure(words: readonly string[], recorded?: Partial<RunConfig>): Work & { events: number } {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const config: RunConfig = {
    mode: 'record',
    trace: join(FOLDER, 'trace.heddle'),
    report: join(FOLDER, 'report.json'),
    timers: 'due',
    root: ROOT,
    include: [],
    exclude: [],
    detail: false,
    ...recorded,
  }
  const path = join(FOLDER, 'config.json')
  writeFileSync(path, JSON.stringify(config))
  const child = spawnSync(
    process.execPath,
    [...(recorded ? ['--import', join(ROOT, 'dist/preload/register.js')] : []), join(ROOT, 'bench/node-programs/shared.mjs'), ...words],
    {
      cwd: FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(recorded ? { [RUN_VARIABLE]: path } : {}) },
    },
  )
  if (child.status !== 0) throw new Error(`${words.join(' ')} ended with ${child.status ?? child.signal}`)
  const work = JSON.parse(child.stdout) as Work
  return { ...work, events: recorded ? eventsIn(join(FOLDER, 'threads')) : 0 }
}

/** The threads wrote a file each; a file of its own is no whole run, so the size tells: 17 bytes an event. */
function eventsIn(folder: string): number {
  return readdirSync(folder).reduce((sum, file) => sum + Math.round(statSync(join(folder, file)).size / 17), 0)
}
