/**
 * What recording costs Java programs: each one plain, with Heddle recording, in both orders (`--order global` and `task`), and under VMLens, a JVM agent from Maven Central that records accesses and checks them, in turn.
 * A run of one round is taken off, which leaves the work without the start of the JVM. With all rounds VMLens does not end: both agents are compared at a hundredth of them, where
 * much of the code is not compiled yet. That says nothing about plain runs, and is not multiplied.
 *
 *   npm run bench:java [-- REPEATS NAME… without-peer]
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentJar } from '../src/frontends/java/agent.ts'
import { JAVA_VARIABLE, writeConfig } from '../src/frontends/java/config-file.ts'
import { watchesWith } from '../src/frontends/java/library.ts'
import { jarAt, jarsOf } from '../test/java-libraries/maven.ts'
import { machine, table } from './measure.ts'

const VARIANTS = ['plain', 'heddle', 'task order', 'heddle, few', 'peer'] as const
type Variant = (typeof VARIANTS)[number]

interface Shape {
  readonly name: string
  readonly main: readonly string[]
  readonly rounds: number
  /** Does the peer have this shape? It hangs in what waits for something outside. */
  readonly peer: boolean
}

const SHAPES: readonly Shape[] = [
  { name: 'server (Jetty)', main: ['Jetty'], rounds: 1500, peer: false },
  { name: 'database (H2)', main: ['H2'], rounds: 10_000, peer: false },
  { name: 'database (Derby)', main: ['Derby'], rounds: 1500, peer: false },
  { name: 'cache (caffeine)', main: ['Caffeine'], rounds: 1_000_000, peer: true },
  { name: 'parser', main: ['Shapes', 'parse'], rounds: 30_000, peer: true },
  { name: 'matrix', main: ['Shapes', 'matrix'], rounds: 300, peer: true },
  { name: 'monitors', main: ['Shapes', 'monitors'], rounds: 3_000_000, peer: true },
  { name: 'locks', main: ['Shapes', 'locks'], rounds: 3_000_000, peer: true },
  { name: 'private objects', main: ['Shapes', 'objects'], rounds: 50_000, peer: true },
]
const PEER_PART = 100
const LIMIT_MS = 600_000
/** What `timeout` ends with. */
const TIME_IS_UP = 124
const VMLENS = '1.2.26'

const words = process.argv.slice(2)
const repeats = Number(words.find((word) => /^\d+$/.test(word)) ?? 3)
const names = words.filter((word) => !/^\d+$|^without-peer$/.test(word))
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'heddle-bench-java-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!

const jars = jarsOf(at('../test/java-libraries/pom.xml'))
if ('missing' in jars) throw new Error(`The libraries are not there: ${jars.missing}.`)
const peer = words.includes('without-peer') ? undefined : await peerAgent()
const classPath = [join(work, 'classes'), ...jars, ...(peer ? [peer.api] : [])].join(delimiter)
mkdirSync(join(work, 'classes'))
const folders = [at('../test/java-libraries/drivers'), at('java')]
const sources = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
must('javac', ['-nowarn', '-cp', classPath, '-d', join(work, 'classes'), ...sources.filter((name) => peer || !name.endsWith('Peer.java'))])

console.log(`${machine()}; ${repeats} runs each, in turn; medians of CPU seconds; JDK ${javaVersion()}`)
const rows = [['', 'plain s', 'heddle ×', 'work alone ×', 'task order: × and work alone ×', 'a hundredth: heddle s and VMLens s', 'MB']]
for (const shape of SHAPES) {
  if (names.length > 0 && !names.some((name) => shape.name.includes(name))) continue
  const has: readonly Variant[] = peer && shape.peer ? VARIANTS : ['plain', 'heddle', 'task order']
  const none = (): Record<Variant, number[]> => ({ plain: [], heddle: [], 'task order': [], 'heddle, few': [], peer: [] })
  const full = none()
  const idle = none()
  let bytes = 0
  let failed = ''
  for (let i = 0; i < repeats; i++) {
    const results = new Set<string>()
    for (const variant of has) {
      if (variant === 'peer' && failed !== '') continue
      const one = runOnce(shape, variant, 1)
      const many = runOnce(shape, variant, isFew(variant) ? shape.rounds / PEER_PART : shape.rounds)
      if (typeof one === 'string' || typeof many === 'string') {
        failed = typeof one === 'string' ? one : (many as string)
        if (variant !== 'peer') throw new Error(`${shape.name}, ${variant}: ${failed}`)
        continue
      }
      idle[variant].push(one.cpu)
      full[variant].push(many.cpu)
      if (!isFew(variant)) results.add(many.out)
      if (variant === 'heddle') bytes = many.bytes
    }
    if (results.size > 1) {
      console.log(`${shape.name}: DIFFERENT RESULTS ${[...results].join(' | ')}`)
      process.exitCode = 1
    }
  }
  const alone = (variant: Variant): number => median(full[variant]) - median(idle[variant])
  const ratio = (a: number, b: number): string => (b > 0 && a > 0 ? (a / b).toFixed(1) : '–')
  const others =
    !shape.peer || !peer
      ? 'not tried'
      : failed !== ''
        ? failed
        : `${median(full['heddle, few']).toFixed(2)} and ${median(full.peer).toFixed(2)}`
  const whole = ratio(median(full.heddle), median(full.plain))
  const local = `${ratio(median(full['task order']), median(full.plain))} and ${ratio(alone('task order'), alone('plain'))}`
  const own = ratio(alone('heddle'), alone('plain'))
  rows.push([shape.name, median(full.plain).toFixed(2), whole, own, local, others, (bytes / 1e6).toFixed(0)])
  console.error(rows.at(-1)!.join('  '))
}
console.log(table(rows))

function isFew(variant: Variant): boolean {
  return variant === 'heddle, few' || variant === 'peer'
}

interface Once {
  readonly cpu: number
  readonly out: string
  readonly bytes: number
}

/** bash's `time` has the processor time of the program, which Node does not tell of children. A sentence where it did not end well. */
function runOnce({ main, rounds }: Shape, variant: Variant, count: number): Once | string {
  const folder = join(work, 'run')
  rmSync(folder, { recursive: true, force: true })
  const java = ['-cp', classPath]
  const env: Record<string, string> = {}
  if (variant !== 'plain' && variant !== 'peer') {
    env[JAVA_VARIABLE] = writeConfig(folder, { mode: 'record', watch: watchesWith(), order: variant === 'task order' ? 'task' : 'global' })
    java.unshift(`-javaagent:${agentJar()}`)
  } else if (variant === 'peer') java.unshift(`-javaagent:${peer!.agent}`)
  const command = [
    'java',
    ...java,
    ...(variant === 'peer' ? ['Peer'] : []),
    ...main,
    String(Math.max(1, Math.round(Math.min(count, rounds)))),
  ]
  const times = join(work, 'times')
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>"$0"'
  const ran = spawnSync('timeout', ['-k', '5', String(LIMIT_MS / 1000), 'bash', '-c', script, times, ...command], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    cwd: work,
  })
  if (ran.status !== 0) return ran.status === TIME_IS_UP ? `no end in ${LIMIT_MS / 1000} s` : `ended with ${ran.status}`
  const [user = 0, system = 0] = readFileSync(times, 'utf8').trim().split(' ').map(Number)
  return { cpu: user + system, out: ran.stdout, bytes: variant === 'heddle' ? sizeOf(join(folder, 'java/threads')) : 0 }
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** VMLens comes inside its plugin for Maven. */
async function peerAgent(): Promise<{ readonly agent: string; readonly api: string } | undefined> {
  const plugin = await jarAt(`com/vmlens/vmlens-maven-plugin/${VMLENS}/vmlens-maven-plugin-${VMLENS}.jar`)
  const api = await jarAt(`com/vmlens/api/${VMLENS}/api-${VMLENS}.jar`)
  if (plugin === undefined || api === undefined) return undefined
  const agent = join(work, 'agent_lib/agent.jar')
  must('jar', ['xf', plugin, 'agent_lib'])
  return { agent, api: join(dirname(api), `api-${VMLENS}.jar`) }
}

function must(command: string, list: readonly string[]): void {
  const { status, stderr } = spawnSync(command, list, { encoding: 'utf8', cwd: work })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}

function javaVersion(): string {
  return /version "([^"]+)"/.exec(spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr)?.[1] ?? '?'
}
