/**
 * Do replays with nothing held agree with the recorded run? Each program is recorded, and the recording replayed several times. A replay agrees if it ends as the recorded run did and
 * every turn of the recorded run came in its place. Programs: applications (bench/apps), suites over published packages (bench/packages), the drivers of test/node-bugs, and the
 * correct programs of test/silence; with `--also FILE` others. Busy loops beside it make the load.
 *
 *   npm run bench:agreement [-- --set apps,packages] [--load 16] [--recordings 1] [--replays 10] [--also FILE] [NAME…]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../test/node-bugs/install.ts'
import { run } from '../test/node-bugs/run.ts'
import { startServers } from './agreement/servers.ts'
import { apps, bugs, others, packages, silent, type Subject } from './agreement/subjects.ts'
import { machine, table } from './measure.ts'

/** Of `heddle check --json`. */
interface Said {
  readonly plain: { readonly runs: number; readonly failed: number; readonly apart: number }
  readonly varies: readonly string[]
  readonly notes: readonly string[]
}

const words = process.argv.slice(2)
function option(name: string, otherwise: string): string {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? otherwise : words.splice(at, 2)[1]!
}
const load = Number(option('load', '0'))
const recordings = option('recordings', '1')
const replays = option('replays', '10')
const also = option('also', '')
const sets = option('set', also === '' ? 'apps,packages' : 'others').split(',')

async function subjects(): Promise<Subject[]> {
  const wanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word))
  const found: Subject[] = []
  if (sets.includes('apps')) found.push(...apps(wanted))
  if (sets.includes('packages')) found.push(...packages(wanted))
  if (sets.includes('bugs')) found.push(...(await bugs(wanted)))
  if (sets.includes('silence')) found.push(...silent(wanted))
  if (also !== '') found.push(...others(also, wanted))
  return found
}

function busy(loops: number): () => void {
  const children: ChildProcess[] = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  const end = (): void => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', end)
  return end
}

class Sum {
  runs = 0
  failed = 0
  apart = 0
  agree = 0
  add(other: Sum): void {
    for (const key of ['runs', 'failed', 'apart', 'agree'] as const) this[key] += other[key]
  }
  get row(): string[] {
    return [
      ...[this.runs, this.failed, this.apart, this.agree].map(String),
      `${((100 * this.agree) / Math.max(1, this.runs)).toFixed(1)} %`,
    ]
  }
}

const HEDDLE = join(ROOT, 'bin/heddle.js')
const HEDDLE_WORDS = ['--json', '--why-varies', '--history', 'off', '--picture', '0', '--replays', replays, '--time', '600']
const why: string[] = []

async function measure({ name, words: program, cwd }: Subject, env: NodeJS.ProcessEnv): Promise<Sum> {
  const sum = new Sum()
  for (let i = 0; i < Number(recordings); i++) {
    const { out, err } = await run(process.execPath, [HEDDLE, 'check', ...HEDDLE_WORDS, '--', 'node', ...program], cwd, 900_000, env)
    rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
    if (!out.startsWith('{')) {
      why.push(`${name}: not measured: ${err.trim().split('\n').slice(-3).join(' ')}`)
      continue
    }
    const { plain, varies, notes } = JSON.parse(out) as Said
    sum.runs += plain.runs
    sum.failed += plain.failed
    sum.apart += plain.apart
    // One that failed has gone another way as a rule: it counts once.
    sum.agree += plain.runs - Math.max(plain.failed, plain.apart)
    why.push(...varies.map((how) => `${name}: ended differently: ${how}`))
    why.push(...notes.filter((note) => note.startsWith('With nothing held a run differs')).map((note) => `${name}: ${note}`))
  }
  return sum
}

const servers = await startServers()
const all = await subjects()
const stop = busy(load)
const rows: string[][] = [['program', 'replays', 'failed', 'another way', 'agree', '']]
const sums = new Map<string, Sum>()
for (const subject of all) {
  if (subject.needs !== undefined && servers.missing.includes(subject.needs)) {
    why.push(`${subject.name}: not measured: it needs ${subject.needs}`)
    continue
  }
  const sum = await measure(subject, servers.env)
  rows.push([subject.name, ...sum.row])
  if (process.stderr.isTTY) process.stderr.write(`\r${subject.name.padEnd(40)}`)
  else process.stderr.write(`${subject.name} ${sum.row.join(' ')}\n`)
  for (const set of [subject.set, 'all']) {
    if (!sums.has(set)) sums.set(set, new Sum())
    sums.get(set)!.add(sum)
  }
}
stop()
servers.end()
for (const [set, sum] of sums) rows.push([`(${set})`, ...sum.row])
console.log(`${machine()}, ${load} busy loops beside it\n`)
console.log(table(rows))
for (const line of new Set(why)) console.log(line)
