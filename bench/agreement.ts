/**
 * Do plain runs agree with the recorded run? Each program is recorded, and the recording replayed several times. A replay agrees if it ends as the recorded run did and
 * every turn of the recorded run came in its place, and no other. Programs: applications (bench/apps), suites over published packages (bench/packages), suites that packages have in their
 * repositories (agreement/suites.json), the drivers of test/node-bugs, and the correct programs of test/silence; with `--also FILE` others. Busy loops beside it make the load. It prints what
 * docs/quality.md has: a table of the sets, and one of the programs whose replays did not all agree or which could not be measured.
 *
 *   npm run bench:agreement [-- --set apps,packages,suites] [--load 16] [--recordings 1] [--replays 10] [--minutes 30] [--also FILE] [--out FILE] [NAME…]
 *
 * All programs together take `--minutes` at most: each has a share of what is left, and makes as many of its replays as fit. After each program the tables so far are in the file
 * `--out`; Ctrl-C prints them and ends.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { cannotStart } from '../test/servers/kinds.ts'
import { Servers } from '../test/servers/start.ts'
import { measure, type Measured } from './agreement/measure.ts'
import { ownSuites } from './agreement/own-suites.ts'
import { apps, bugs, CACHE, others, packages, removeCopies, silent, type Subject } from './agreement/subjects.ts'
import { tables } from './agreement/tables.ts'
import { busy } from './busy.ts'

const words = process.argv.slice(2)
function option(name: string, otherwise: string): string {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? otherwise : words.splice(at, 2)[1]!
}
const load = Number(option('load', '0'))
const recordings = Number(option('recordings', '1'))
const replays = Number(option('replays', '10'))
const minutes = Number(option('minutes', '30'))
const also = option('also', '')
const out = option('out', join(CACHE, `agreement-load-${load}.md`))
const sets = option('set', also === '' ? 'apps,packages,suites' : 'others').split(',')

/** What comes of one program; what could not even be installed has no `subject`. */
interface Planned {
  readonly set: string
  readonly name: string
  readonly subject?: Subject
  readonly lacks?: string
}

async function planned(): Promise<Planned[]> {
  const wanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word))
  const found: Planned[] = []
  const add = async (set: string, get: () => Subject[] | Promise<Subject[]>): Promise<void> => {
    if (!sets.includes(set)) return
    say(`installing: ${set}`)
    try {
      for (const subject of await get()) found.push({ set, name: subject.name, subject })
    } catch (error) {
      found.push({ set, name: set, lacks: `could not be installed: ${(error as Error).message.split('\n', 1)[0]}` })
    }
  }
  await add('apps', () => apps(wanted))
  await add('packages', () => packages(wanted))
  if (sets.includes('suites')) {
    for (const { name, subject } of ownSuites(wanted)) await add('suites', () => [subject()]).then(() => rename(found, name))
  }
  await add('bugs', () => bugs(wanted))
  await add('silence', () => silent(wanted))
  if (also !== '') await add('others', () => others(also, wanted))
  return found
}

/** The last one may be a program that could not be installed: that one is known by its set only. */
function rename(found: Planned[], name: string): void {
  const last = found.pop()
  if (last !== undefined) found.push({ ...last, name })
}

const started = performance.now()
const say = (line: string): void =>
  void process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}\n`)

const measured: Measured[] = []
const loads: number[] = []
const text = (): string => tables(measured, { loops: load, loads, minutes: (performance.now() - started) / 60_000 })
function keep(): void {
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, text())
}

const all = await planned()
const servers = new Servers()
const stopLoad = busy(load)
const stopped = new AbortController()
process.on('exit', () => {
  stopLoad()
  removeCopies()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    say(`stopped by ${signal}: ${measured.length} of ${all.length} programs were measured`)
    stopped.abort()
  })

const until = performance.now() + minutes * 60_000
for (const [i, { set, name, subject, lacks }] of all.entries()) {
  if (stopped.signal.aborted) break
  const lack = lacks ?? (subject!.needs === undefined ? '' : cannotStart(subject!.needs))
  // Most programs need less than their share.
  const share = Math.max(20_000, (3 * (until - performance.now())) / (all.length - i))
  const one: Measured =
    lack === ''
      ? await measure(subject!, {
          recordings,
          replays,
          share,
          signal: stopped.signal,
          env: () => (subject!.needs === undefined ? {} : servers.get(subject!.needs)),
        })
      : { set, name, replays: 0, failed: 0, apart: 0, agree: 0, turns: 0, seconds: 0, lacks: lack, how: [] }
  if (stopped.signal.aborted) break
  loads.push(loadavg()[0]!)
  measured.push(one)
  keep()
  const result = one.lacks === undefined ? `${one.agree} of ${one.replays} agree, ${one.turns} turns` : `not measured: ${one.lacks}`
  say(`[${i + 1}/${all.length}] ${name}: ${result} (${one.seconds.toFixed(0)} s, load ${loads.at(-1)!.toFixed(0)})`)
  for (const how of one.how) say(`        ${how}`)
}
await servers.end()
console.log(text())
say(`also in ${out}`)
process.exit(stopped.signal.aborted ? 130 : 0)
