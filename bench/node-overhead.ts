/**
 * What recording costs: three programs, plain and recorded in turn, each time in a fresh process. The programs measure themselves (processor
 * time of all threads and wall time of the work, without start-up); the report of the run says how many events there were.
 *
 *   npm run bench:overhead [-- REPEATS]
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUN_VARIABLE, type RunConfig, type RunReport } from '../src/runtime/js/protocol.ts'
import { installPackages, ROOT } from '../test/node-bugs/install.ts'
import { machine, mean, min, spread, table } from './measure.ts'

const PROGRAMS = join(ROOT, 'bench/node-programs')
const FOLDER = join(ROOT, '.heddle/node-overhead')
const repeats = Number(process.argv[2] ?? 5)

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
  { name: 'cpu (acorn)', words: ['parse.cjs', '6'], unit: 'characters' },
]

await installPackages(join(FOLDER, 'packages'), { acorn: '8.14.0' })
console.log(`${machine()}; ${repeats} runs each; times as least, mean ± deviation`)
const rows = [['', 'plain CPU ms', 'recorded CPU ms', 'ratio CPU', 'ratio wall', 'whole process', 'events/s', 'bytes/event', 'events']]
for (const program of PROGRAM) {
  const plain: Measured[] = []
  const recorded: Measured[] = []
  for (let i = 0; i < repeats; i++) {
    plain.push(await measure(program, false))
    recorded.push(await measure(program, true))
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
  ])
}
console.log(table(rows))
console.log('Ratios: least against least, in brackets the mean of the ratios of pairs of runs. events/s per second of processor time.')

async function measure({ words, requests }: Program, recorded: boolean): Promise<Measured> {
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
  }
  const path = join(FOLDER, 'run/config.json')
  writeFileSync(path, JSON.stringify(config))
  const start = performance.now()
  const child = spawn(
    process.execPath,
    [...(recorded ? ['--import', join(ROOT, 'dist/runtime/js/register.js')] : []), join(PROGRAMS, words[0]!), ...words.slice(1)],
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
