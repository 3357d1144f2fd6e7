/**
 * What recording costs: programs, plain, recorded, recorded with the calls that the library of properties asks for (what `heddle check` does), and
 * with those a much longer list asks for, in turn, each time in a fresh process. The programs measure themselves (processor time of all threads and
 * wall time of the work, without start-up); the report of the run says how many events there were.
 *
 *   npm run bench:overhead [-- REPEATS [NAME …]]
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RUN_VARIABLE, type RunConfig, type RunReport } from '../src/runtime/js/protocol.ts'
import type { Watch } from '../src/property/watch.ts'
import { installPackages, ROOT } from '../test/node-bugs/install.ts'
import { USUAL } from '../test/calls/watch-list.ts'
import { machine, mean, min, spread, table } from './measure.ts'

const PROGRAMS = join(ROOT, 'bench/node-programs')
const FOLDER = join(ROOT, '.heddle/node-overhead')
const repeats = Number(process.argv[2] ?? 5)
const only = process.argv.slice(3)

interface Work {
  readonly ms: number
  readonly cpu: number
  readonly work: number
}
interface Measured extends Work {
  /** From the start of the process to its end. */
  readonly wall: number
  readonly events: number
  readonly bytes: number
}

interface Program {
  readonly name: string
  readonly words: readonly string[]
  /** Requests that the load makes, for a server. */
  readonly requests?: number
  readonly unit: string
}

const PROGRAM: readonly Program[] = [
  { name: 'promises', words: ['promises.js', '60000'], unit: 'tasks' },
  { name: 'server', words: ['server.js'], requests: 6000, unit: 'requests' },
  { name: 'acorn', words: ['parse.cjs', '6'], unit: 'characters' },
  { name: 'express', words: ['express.cjs'], requests: 3000, unit: 'requests' },
  { name: 'browserify', words: ['bundle.cjs', '1'], unit: 'characters' },
]

/** What `heddle check` watches. The library is read by what is built: it lies beside that. */
const library = await (async (): Promise<readonly Watch[]> => {
  const dist = (file: string): Promise<unknown> => import(pathToFileURL(join(ROOT, 'dist/property', file)).href)
  const { watchesOf } = (await dist('watch.js')) as typeof import('../src/property/watch.ts')
  const { libraryDeclarations } = (await dist('library.js')) as typeof import('../src/property/library.ts')
  return watchesOf(libraryDeclarations().filter((declaration) => declaration.on))
})()

await installPackages(join(FOLDER, 'packages'), { acorn: '8.14.0', express: '4.21.2', browserify: '17.0.1' })
console.log(`${machine()}; ${repeats} runs each; times as least, mean ± deviation`)
const rows = [
  [
    '',
    'plain CPU ms',
    'recorded CPU ms',
    'ratio CPU',
    'ratio wall',
    'whole process',
    'events/s',
    'bytes/event',
    'events',
    'library, CPU',
    'events',
    'long list, CPU',
    'events',
  ],
]
for (const program of PROGRAM.filter(({ name }) => only.length === 0 || only.includes(name))) {
  const plain: Measured[] = []
  const recorded: Measured[] = []
  const shipped: Measured[] = []
  const watched: Measured[] = []
  for (let i = 0; i < repeats; i++) {
    plain.push(await measure(program, false))
    recorded.push(await measure(program, true))
    shipped.push(await measure(program, true, library))
    watched.push(await measure(program, true, USUAL))
  }
  const cpu = (list: Measured[]): number[] => list.map((one) => one.cpu)
  const last = recorded.at(-1)!
  const ratio = (pick: (one: Measured) => number): string => {
    const each = recorded.map((one, i) => pick(one) / pick(plain[i]!))
    return `${(min(recorded.map(pick)) / min(plain.map(pick))).toFixed(2)} (${mean(each).toFixed(2)})`
  }
  rows.push([
    program.name,
    spread(cpu(plain), 0),
    spread(cpu(recorded), 0),
    ratio((one) => one.cpu),
    ratio((one) => one.ms),
    ratio((one) => one.wall),
    Math.round(mean(recorded.map((one) => (one.events / one.cpu) * 1000))).toLocaleString('en'),
    (last.bytes / last.events).toFixed(1),
    last.events.toLocaleString('en'),
    ...[shipped, watched].flatMap((list) => [
      `${(min(cpu(list)) / min(cpu(recorded))).toFixed(2)} (${mean(list.map((one, i) => one.cpu / recorded[i]!.cpu)).toFixed(2)})`,
      list.at(-1)!.events.toLocaleString('en'),
    ]),
  ])
}
console.log(table(rows))
console.log('Ratios: least against least, in brackets the mean of the ratios of pairs of runs. events/s per second of processor time.')
console.log(`library, long list: recorded with ${library.length} and ${USUAL.length} watches, against recorded without.`)

async function measure({ words, requests }: Program, recorded: boolean, watch: RunConfig['watch'] = []): Promise<Measured> {
  rmSync(join(FOLDER, 'run'), { recursive: true, force: true })
  mkdirSync(join(FOLDER, 'run'), { recursive: true })
  const config: RunConfig = {
    mode: 'record',
    trace: join(FOLDER, 'run/trace.heddle'),
    report: join(FOLDER, 'run/report.json'),
    timers: 'due',
    root: PROGRAMS,
    include: [],
    exclude: [],
    detail: false,
    watch,
  }
  const path = join(FOLDER, 'run/config.json')
  writeFileSync(path, JSON.stringify(config))
  const start = performance.now()
  const child = spawn(
    process.execPath,
    [...(recorded ? ['--import', join(ROOT, 'dist/preload/register.js')] : []), join(PROGRAMS, words[0]!), ...words.slice(1)],
    {
      cwd: join(FOLDER, 'packages'),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(recorded ? { [RUN_VARIABLE]: path } : {}) },
    },
  )
  const lines: string[] = []
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
      lines.push(text.slice(0, at))
      text = text.slice(at + 1)
      // The first line of a server is its port.
      if (requests !== undefined && lines.length === 1)
        spawn(process.execPath, [join(PROGRAMS, 'load.js'), lines[0]!, String(requests)], { stdio: 'inherit' })
    }
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  const work = JSON.parse(lines.at(-1)!) as Work
  const wall = performance.now() - start
  if (!recorded) return { ...work, wall, events: 0, bytes: 0 }
  const report = JSON.parse(readFileSync(config.report, 'utf8')) as RunReport
  return { ...work, wall, events: report.events, bytes: statSync(config.trace).size }
}
