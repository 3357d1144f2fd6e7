/**
 * What Heddle costs on programs from npm: each plain, recorded with an empty cache of modules, recorded again, and replayed without delays, in turn, in fresh processes. Then whole suites. Processor time of all processes
 * (from /proc, so on Linux only): the wall clock says more about what else the machine does. `--before` names another checkout, built: its figures come from the same run.
 *
 *   npm run bench:cost [-- --repeats 3] [--before DIR] [NAME…]
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages, ROOT } from '../test/node-bugs/install.ts'
import { plainSchedule } from '../src/schedule/schedule.ts'
import { RUN_VARIABLE, type RunConfig } from '../src/runtime/js/protocol.ts'
import type { Client } from '../src/clients/client.ts'
import type { Watch } from '../src/property/watch.ts'
import { cannotStart, type Kind } from '../test/servers/kinds.ts'
import { Servers } from '../test/servers/start.ts'
import { machine, min, table } from './measure.ts'
import { newGroup, waitedForMs } from './used-cpu.ts'

const words = process.argv.slice(2)
function option(name: string): string | undefined {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? undefined : words.splice(at, 2)[1]
}
const repeats = Number(option('repeats') ?? 3)
const before = option('before')

const PROGRAMS = join(ROOT, 'bench/node-programs')
/** Outside of the checkout: other programs of it are not to be looked at. */
const PACKAGES = join(homedir(), '.cache/heddle-bench/cost')
await installPackages(PACKAGES, {
  eslint: '9.18.0',
  '@eslint/js': '9.18.0',
  ava: '6.2.0',
  express: '4.21.2',
  ioredis: '5.11.1',
  mocha: '11.0.1',
  pg: '8.16.0',
  prettier: '3.4.2',
  typescript: '5.7.3',
})
for (const file of ['hot-key.cjs', 'orders.cjs', 'queue.test.cjs']) cpSync(join(PROGRAMS, file), join(PACKAGES, file))
cpSync(join(PACKAGES, 'node_modules/eslint/lib/rules'), join(PACKAGES, 'sources'), { recursive: true })
writeFileSync(
  join(PACKAGES, 'eslint.config.mjs'),
  `import js from '@eslint/js'\nexport default [js.configs.recommended, { rules: { 'no-undef': 'off' } }]\n`,
)
// The same tests with longer waits: a suite of several seconds, as many are.
writeFileSync(
  join(PACKAGES, 'slow.test.cjs'),
  readFileSync(join(PROGRAMS, 'queue.test.cjs'), 'utf8').replace('await sleep(5 +', 'await sleep(30 +'),
)
// Ava takes no tests by another name.
writeFileSync(
  join(PACKAGES, 'queue.ava.cjs'),
  "const test = require('ava')\nglobalThis.it = (name, body) => test(name, async (t) => { await body(); t.pass() })\nrequire('./queue.test.cjs')\n",
)
mkdirSync(join(PACKAGES, 'project'), { recursive: true })
writeFileSync(
  join(PACKAGES, 'project/a.ts'),
  'export class Box<T extends object> { constructor(readonly x: T) {} keys() { return Object.keys(this.x) as (keyof T)[] } }\n',
)
writeFileSync(
  join(PACKAGES, 'project/tsconfig.json'),
  '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "files": ["a.ts"] }',
)

const ESLINT = ['node_modules/eslint/bin/eslint.js', '--no-inline-config', '-f', 'json', '-o', join(tmpdir(), 'heddle-cost-eslint.json')]
interface Program {
  readonly name: string
  readonly words: readonly string[]
  /** A server: requests of the load, which are what is measured. */
  readonly requests?: number
  readonly needs?: readonly Kind[]
}
const ALL: readonly Program[] = [
  { name: 'eslint, one file', words: [...ESLINT, 'sources/accessor-pairs.js'] },
  { name: 'eslint, 29 files', words: [...ESLINT, 'sources/no-[a-d]*.js'] },
  { name: 'tsc, a small project', words: ['node_modules/typescript/bin/tsc', '-p', 'project'] },
  { name: 'prettier, 29 files', words: ['node_modules/prettier/bin/prettier.cjs', '-l', 'sources/no-[a-d]*.js'] },
  { name: 'mocha, 30 tests that wait', words: ['node_modules/mocha/bin/_mocha', 'queue.test.cjs'] },
  { name: 'node:test, 30 tests that wait', words: ['queue.test.cjs'] },
  { name: 'express, one hot key, a request', words: ['hot-key.cjs'], requests: 3000 },
  { name: 'express and PostgreSQL, a request', words: ['orders.cjs'], requests: 1000, needs: ['postgres'] },
  { name: 'express, PostgreSQL and Redis, a request', words: ['orders.cjs', 'redis'], requests: 1000, needs: ['postgres', 'redis'] },
]

/** `requests`: recorded again, with what clients of databases ask for. */
type Way = 'plain' | 'cold' | 'warm' | 'requests' | 'replay'
interface Checkout {
  readonly root: string
  readonly watch: readonly Watch[]
  readonly clients: readonly Client[]
}

async function checkout(root: string): Promise<Checkout> {
  const { watchesOf } = (await import(join(root, 'dist/property/watch.js'))) as typeof import('../src/property/watch.ts')
  const { libraryDeclarations } = (await import(join(root, 'dist/property/library.js'))) as typeof import('../src/property/library.ts')
  const { allClients } = (await import(join(root, 'dist/clients/open.js'))) as typeof import('../src/clients/open.ts')
  return { root, watch: watchesOf(libraryDeclarations().filter((one) => one.on)), clients: allClients() }
}

/** Older checkouts have it elsewhere. */
function registerOf(root: string): string {
  const path = join(root, 'dist/preload/register.js')
  return existsSync(path) ? path : join(root, 'dist/runtime/js/register.js')
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-cost-'))
const cache = join(folder, 'cache')

/** Processor milliseconds: of the whole process, or of a request. */
async function measure({ words, requests }: Program, way: Way, { root, watch, clients }: Checkout): Promise<number> {
  const run = join(folder, 'run')
  rmSync(run, { recursive: true, force: true })
  mkdirSync(run)
  if (way === 'cold') rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const config: RunConfig = {
    mode: way === 'replay' ? 'replay' : 'record',
    trace: join(run, 'trace.heddle'),
    report: join(run, 'report.json'),
    timers: 'due',
    root: PACKAGES,
    include: [],
    exclude: [],
    detail: false,
    watch,
    cache: { folder: cache, version: root },
    ...(way === 'requests' ? { clients } : {}),
    ...(way === 'replay' ? { schedule: plainSchedule({ command: words, timers: 'due' }) } : {}),
  }
  writeFileSync(join(run, 'config.json'), JSON.stringify(config))
  const load = way === 'plain' ? [] : ['--import', registerOf(root)]
  const env = { ...process.env, ...(way === 'plain' ? {} : { [RUN_VARIABLE]: join(run, 'config.json') }) }
  const start = waitedForMs()
  const said = await ended([...load, ...words], env, requests)
  return requests === undefined ? waitedForMs() - start : (JSON.parse(said.trim().split('\n').at(-1)!) as { cpu: number }).cpu / requests
}

async function ended(args: readonly string[], env: NodeJS.ProcessEnv, requests?: number): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: PACKAGES, stdio: ['ignore', 'pipe', 'ignore'], env })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const first = said === ''
    said += part
    if (first && requests !== undefined)
      spawn(process.execPath, [join(PROGRAMS, 'hot-key-load.js'), said.trim(), '500', String(requests)], { stdio: 'inherit' })
  })
  await new Promise((resolve) => child.on('close', resolve))
  return said
}

/** A command of Heddle, or the same without it: processor seconds and wall seconds. */
async function whole(args: readonly string[]): Promise<{ cpu: number; wall: number }> {
  const group = newGroup()
  if (group === undefined) note ??= 'Without control groups: processes that nobody waits for are not in the processor time.'
  const [start, at] = [waitedForMs(), performance.now()]
  const words = [...(group?.words ?? []), process.execPath, ...args]
  await new Promise((resolve) => spawn(words[0]!, words.slice(1), { cwd: PACKAGES, stdio: 'ignore' }).on('close', resolve))
  const wall = (performance.now() - at) / 1000
  const cpu = (group?.usedMs() ?? waitedForMs() - start) / 1000
  group?.end()
  return { cpu, wall }
}
let note: string | undefined

const wanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word))
const checkouts = [...(before === undefined ? [] : [await checkout(before)]), await checkout(ROOT)]
const label = (root: string): string => (root === ROOT ? 'now' : 'before')
console.log(`${machine()}; least of ${repeats}, processor ms and ratio to plain`)

const rows = [['program', '', 'plain', 'recorded, cold', 'recorded, warm', 'and its requests', 'replayed']]
const programs = ALL.filter(({ name }) => wanted(name))
const servers = new Servers()
for (const program of programs) {
  const lacks = cannotStart(...(program.needs ?? []))
  if (lacks !== '') {
    console.log(`Left out: ${program.name}: ${lacks}`)
    continue
  }
  for (const kind of program.needs ?? []) Object.assign(process.env, await servers.get(kind))
  const least = new Map<string, number>()
  // A client outside does not live on the clock of a replay. The first replay fills the cache, too.
  const ways: readonly Way[] =
    program.requests === undefined
      ? ['plain', 'cold', 'warm', 'replay', 'replay']
      : program.needs === undefined
        ? ['plain', 'cold', 'warm']
        : ['plain', 'cold', 'warm', 'requests']
  for (let i = 0; i < repeats; i++) {
    for (const one of checkouts) {
      for (const way of ways) {
        const key = way === 'plain' ? way : `${way} ${label(one.root)}`
        least.set(key, Math.min(least.get(key) ?? Infinity, await measure(program, way, one)))
      }
    }
  }
  const plain = least.get('plain')!
  const digits = program.requests === undefined ? 0 : 2
  for (const { root } of checkouts) {
    const cell = (way: Way): string => {
      const ms = least.get(`${way} ${label(root)}`)
      if (ms === undefined) return '–'
      return `${ms.toFixed(digits)} (${(ms / plain).toFixed(1)}x)`
    }
    rows.push([program.name, label(root), plain.toFixed(digits), cell('cold'), cell('warm'), cell('requests'), cell('replay')])
  }
}
await servers.end()
if (rows.length > 1) console.log(table(rows))

/** Runs of the same suite between the first time and the one that is measured as `again`. */
const RUNS_BEFORE = 3
const SUITES: readonly { name: string; command: string; plain: readonly string[] }[] = [
  { name: 'suite under node:test', command: 'test', plain: ['--test', 'queue.test.cjs'] },
  { name: 'suite under ava', command: 'check', plain: ['node_modules/ava/entrypoints/cli.mjs', 'queue.ava.cjs'] },
  { name: 'suite under mocha', command: 'check', plain: ['node_modules/mocha/bin/_mocha', 'queue.test.cjs'] },
  { name: 'suite of seconds under mocha', command: 'check', plain: ['node_modules/mocha/bin/_mocha', 'slow.test.cjs'] },
  { name: 'suite of seconds under node:test', command: 'test', plain: ['--test', 'slow.test.cjs'] },
]
const suites = [
  ['suite', '', 'plain CPU s', 'first time', 'ratio', 'again', 'ratio', 'plain wall s', 'first time', 'ratio', 'again', 'ratio'],
]
for (const { name, command, plain } of SUITES.filter(({ name }) => wanted(name))) {
  for (const { root } of checkouts) {
    const times: Record<'plain' | 'first' | 'again', { cpu: number; wall: number }[]> = { plain: [], first: [], again: [] }
    const heddle = [join(root, 'bin/heddle.js'), command, '--', 'node', ...plain]
    for (let i = 0; i < repeats; i++) {
      times.plain.push(await whole(plain))
      times.first.push(await whole(heddle))
      // What a run did not get to is left for the next ones: this is how it is in the long run.
      for (let j = 0; j < RUNS_BEFORE && command === 'test'; j++) await whole(heddle)
      times.again.push(await whole(heddle))
      rmSync(join(PACKAGES, '.heddle'), { recursive: true, force: true })
    }
    const cells = (['cpu', 'wall'] as const).flatMap((what) => {
      const [without, first, again] = (['plain', 'first', 'again'] as const).map((way) => min(times[way].map((one) => one[what])))
      return [without!, first!, first! / without!, again!, again! / without!].map((n, i) => `${n.toFixed(i % 2 === 0 && i > 0 ? 1 : 2)}`)
    })
    suites.push([name, label(root), ...cells])
  }
}
if (note !== undefined) console.log(note)
if (suites.length > 1) console.log(`\n${table(suites)}`)
rmSync(folder, { recursive: true, force: true })
