/**
 * What recording costs Java programs: each one plain, with Heddle recording, in both orders (`--order global` and `task`), and under VMLens, a JVM agent from Maven Central that records accesses and checks them, in turn.
 * A run of one round is the start: the JVM, the agent, and the classes that are rewritten. Taken off, it leaves the work alone. Rounds are so many that the plain work takes about a second;
 * `short` makes a tenth of them. With all rounds VMLens does not end: both agents are compared at a few of them, where much of the code is not compiled yet. That says nothing about plain
 * runs, and is not multiplied.
 *
 *   npm run bench:java [-- REPEATS NAME… without-peer short]
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
  /** Rounds that the peer is tried with; undefined: it hangs in what waits for something outside. */
  readonly few?: number
}

const SHAPES: readonly Shape[] = [
  { name: 'server (Jetty)', main: ['Jetty'], rounds: 5000 },
  { name: 'database (H2)', main: ['H2'], rounds: 30_000 },
  { name: 'database (Derby)', main: ['Derby'], rounds: 3000 },
  { name: 'cache (caffeine)', main: ['Caffeine'], rounds: 3_000_000, few: 10_000 },
  { name: 'parser', main: ['Shapes', 'parse'], rounds: 30_000, few: 300 },
  { name: 'matrix', main: ['Shapes', 'matrix'], rounds: 8000, few: 3 },
  { name: 'monitors', main: ['Shapes', 'monitors'], rounds: 60_000_000, few: 30_000 },
  { name: 'locks', main: ['Shapes', 'locks'], rounds: 60_000_000, few: 30_000 },
  { name: 'private objects', main: ['Shapes', 'objects'], rounds: 200_000, few: 500 },
]
const SHORTER = 10
const LIMIT_MS = 600_000
/** What `timeout` ends with. */
const TIME_IS_UP = 124
const VMLENS = '1.2.26'

const words = process.argv.slice(2)
const repeats = Number(words.find((word) => /^\d+$/.test(word)) ?? 3)
const part = words.includes('short') ? SHORTER : 1
const names = words.filter((word) => !/^\d+$|^without-peer$|^short$/.test(word))
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
const rows = [
  [
    '',
    'start: plain s, heddle s',
    'all: plain s, heddle s',
    '×',
    'work alone: plain s, ×',
    'task order: ×, work alone ×',
    'few rounds: heddle s, VMLens s',
    'MB',
  ],
]
for (const shape of SHAPES) {
  if (names.length > 0 && !names.some((name) => shape.name.includes(name))) continue
  const has: readonly Variant[] = peer && shape.few ? VARIANTS : ['plain', 'heddle', 'task order']
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
      const many = runOnce(shape, variant, isFew(variant) ? shape.few! : shape.rounds / part)
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
  const both = (a: number, b: number): string => `${a.toFixed(2)}, ${b.toFixed(2)}`
  const others = !shape.few || !peer ? 'not tried' : failed !== '' ? failed : both(median(full['heddle, few']), median(full.peer))
  rows.push([
    shape.name,
    both(median(idle.plain), median(idle.heddle)),
    both(median(full.plain), median(full.heddle)),
    ratio(median(full.heddle), median(full.plain)),
    `${alone('plain').toFixed(2)}, ${ratio(alone('heddle'), alone('plain'))}`,
    `${ratio(median(full['task order']), median(full.plain))}, ${ratio(alone('task order'), alone('plain'))}`,
    others,
    (bytes / 1e6).toFixed(0),
  ])
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
