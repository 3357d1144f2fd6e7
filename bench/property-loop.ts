/**
 * Properties on the trace of a busy Node program: what each part of `heddle check` takes that looks at them, with the whole library, and the predictor for memory as a peer in
 * the same process.
 *
 *   npm run bench:property-loop [-- EVENTS]        1 million unless said
 *
 * The program: 200 requests at a time, each a chain of promises that goes from one I/O operation to the next, some thirty turns long. A request has a socket, a file
 * handle, a descriptor, an iterator and a client of a pool; it uses maps and mutexes that all share, and memory. One in twenty goes on in the turn of another one (a lock that is
 * handed over), and one in a hundred of the calls is made by another request than the one that owns the object.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../src/base/random.ts'
import { LoopRun } from '../src/causal/loop/run.ts'
import { LoopView } from '../src/causal/loop/turns.ts'
import { CoverageRow } from '../src/coverage.ts'
import { predictLoop } from '../src/predict/loop/predict.ts'
import { predictProperties } from '../src/predict/loop/property.ts'
import { openProperties } from '../src/property/open.ts'
import { violationsOf } from '../src/confirm/violations.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { ANSWER, ARGUMENT, CALL, CHAIN, DISPATCH, POST, READ, RETURN, TURN_BEGIN, TURN_END, WRITE } from '../src/trace/ops.ts'
import { NONE, type Trace } from '../src/trace/trace.ts'
import type { Value } from '../src/trace/values.ts'
import { fresh, machine, spread, table, tell, timedBoth } from './measure.ts'

const SELF = fileURLToPath(import.meta.url)
/** The compiled code is elsewhere; `npm run` starts at the root. */
const LIBRARY = 'library'
const SEED = 1
const REQUESTS = 200
const TURNS_A_REQUEST = 30
const SITES = 300
const MAPS = 20
const KEYS = 50
const MUTEXES = 10
const REPEATS = 3
/** As in `heddle check`. */
const LIMIT = 500

const SOCKET = 'Socket:Duplex:Readable:Writable:Stream:EventEmitter'

interface Request {
  readonly chain: string
  /** The operation it waits for. */
  op: string
  turns: number
  readonly left: number
  readonly socket: Value
  readonly handle: Value
  readonly descriptor: number
  readonly iterator: Value
  readonly client: Value
}

export function generate(events: number): Trace {
  const random = new Random(SEED)
  const b = new TraceBuilder()
  const loop = b.task('loop')
  const async_ = b.queues.intern('async')
  const io = b.queues.intern('fs')
  for (let s = 0; s < SITES; s++) b.sites.push(`${s % 4 === 0 ? 'node_modules/pool/' : ''}server-${s % 20}.js:${s}:1`)
  let count = 0
  const add = (op: number, target: number, value = 0, site = NONE): void => {
    b.add(loop, op, target, value, site)
    count++
  }
  const label = (name: string): number => b.values.codeOf({ object: name })
  const chain = (name: string): void => add(CHAIN, b.names.intern(name))
  const call = (op: number, name: string, receiver: Value, args: Readonly<Record<string, Value>>, site: number): void => {
    add(op, b.names.intern(name), b.values.codeOf(receiver), site % SITES)
    for (const [place, value] of Object.entries(args)) add(ARGUMENT, b.names.intern(place), b.values.codeOf(value))
  }
  let operations = 0
  const post = (request: Request): void => {
    request.op = `o${operations++}`
    add(POST, io, label(request.op), random.below(SITES))
  }
  let requests = 0
  const begin = (): Request => {
    const n = requests++
    const object = (kind: string): Value => ({ object: `${kind}#${n}` })
    const request: Request = {
      chain: `c${n}`,
      op: '',
      turns: 0,
      left: 1 + random.below(2 * TURNS_A_REQUEST),
      socket: object('Socket'),
      handle: object('FileHandle'),
      descriptor: 3 + (n % 1000),
      iterator: object('Iterator'),
      client: object('Client'),
    }
    chain('main')
    add(POST, async_, label(request.chain))
    chain(request.chain)
    post(request)
    return request
  }
  const work = (request: Request, others: readonly Request[]): void => {
    const by = random.chance(0.01) ? random.pick(others) : request
    const site = random.below(SITES)
    const map: Value = { object: `Map#${random.below(MAPS)}` }
    const mutex: Value = { object: `Mutex#${random.below(MUTEXES)}` }
    switch (random.below(10)) {
      case 0:
        return call(CALL, 'Map.get', map, { 1: random.below(KEYS) }, site)
      case 1:
        return call(CALL, 'Map.set', map, { 1: random.below(KEYS) }, site)
      case 2:
        return call(CALL, `${SOCKET}.write`, by.socket, {}, site)
      case 3:
        return call(CALL, 'FileHandle.read', by.handle, {}, site)
      case 4:
        return call(CALL, 'fs.read', undefined, { 1: by.descriptor }, site)
      case 5:
        return call(CALL, 'Iterator.next', by.iterator, {}, site)
      case 6:
        return call(CALL, 'Client.query', by.client, { 1: 'select' }, site)
      case 7:
        call(ANSWER, 'Mutex.acquire', mutex, {}, site)
        return call(CALL, 'Mutex.release', mutex, {}, site)
      case 8:
        return add(READ, b.locations.intern(`Shared#1.k${random.below(200)}`), 0, site)
      default:
        return add(WRITE, b.locations.intern(`Shared#1.k${random.below(200)}`), b.values.codeOf(random.below(9)), site)
    }
  }
  const finish = (request: Request): void => {
    const site = random.below(SITES)
    call(RETURN, `${SOCKET}.end`, request.socket, {}, site)
    call(CALL, 'FileHandle.close', request.handle, {}, site + 1)
    call(CALL, 'fs.close', undefined, { 1: request.descriptor }, site + 2)
    call(CALL, 'BoundPool:Pool.release', request.client, {}, site + 3)
  }
  add(TURN_BEGIN, b.names.intern('main'), b.values.codeOf(0))
  chain('main')
  const open = Array.from({ length: REQUESTS }, begin)
  for (let turn = 1; count < events; turn++) {
    const slot = random.below(REQUESTS)
    const request = open[slot]!
    add(TURN_END, b.names.intern('turn'))
    add(TURN_BEGIN, b.names.intern('fs.read'), b.values.codeOf(turn * 5))
    add(DISPATCH, io, label(request.op))
    chain(request.op)
    chain(request.chain)
    if (request.turns++ === 0) {
      call(RETURN, 'fs.openSync', undefined, { returns: request.descriptor }, slot)
      call(RETURN, 'List.iterator', { object: `List#${slot}` }, { returns: request.iterator }, slot)
    }
    for (let n = 2 + random.below(5); n > 0; n--) work(request, open)
    if (random.chance(0.05)) {
      // Another request waited for what this one settles.
      const other = random.pick(open)
      if (other !== request && other.turns > 0) {
        chain(other.chain)
        for (let n = 1 + random.below(3); n > 0; n--) work(other, open)
        chain(request.chain)
      }
    }
    if (request.turns < request.left) post(request)
    else {
      finish(request)
      open[slot] = begin()
    }
  }
  add(TURN_END, b.names.intern('turn'))
  return b.finish()
}

interface Measured {
  readonly events: number
  readonly turns: number
  readonly objects: number
  /** Of each part, the processor's milliseconds. */
  readonly cpu: Readonly<Record<string, number>>
  readonly found: Readonly<Record<string, number>>
  readonly coverage: object
}

function measure(events: number): Measured {
  const trace = generate(events)
  const cpu: Record<string, number> = {}
  const part = <T>(name: string, action: () => T): T => {
    const [result, time] = timedBoth(action)
    cpu[name] = time.cpu
    return result
  }
  const declarations = readdirSync(LIBRARY).flatMap((name) => openProperties(join(LIBRARY, name)).declarations)
  const view = part('LoopView', () => new LoopView(trace))
  const run = part('LoopRun', () => new LoopRun(view))
  const notes: string[] = []
  const seen = part('violationsOf', () => violationsOf(run, declarations, undefined, (note) => notes.push(note)))
  const coverage = new CoverageRow('properties')
  const options = { timers: 'due', command: [], limit: LIMIT } as const
  const properties = part('predictProperties', () => [...predictProperties(run, { ...options, declarations, coverage })])
  const memory = part('predictLoop', () => [...predictLoop(view, { ...options, coverage: new CoverageRow('turns') })])
  return {
    events: trace.eventCount,
    turns: view.turnCount,
    // `#Socket#7`; the label of an operation has one sign only.
    objects: [...new Set(trace.value)].filter((code) => code > 0 && trace.tables.values.textOf(code).lastIndexOf('#') > 0).length,
    cpu,
    found: { violationsOf: seen.length, predictProperties: properties.length, predictLoop: memory.length, notes: notes.length },
    coverage: coverage.saved(),
  }
}

if (process.argv[2] === 'one') tell(measure(Number(process.argv[3])))
else if (process.argv[1] === SELF) {
  const most = Number(process.argv[2] ?? 1_000_000)
  console.log(machine())
  for (const events of [most / 10, most]) {
    const runs = Array.from({ length: REPEATS }, () => fresh<Measured>(SELF, ['one', String(events)]))
    const { turns, objects, found, coverage, events: all } = runs[0]!
    console.log(`\n${all} events, ${turns} turns, ${objects} objects, peak ${(runs[0]!.peak / 2 ** 20).toFixed(0)} MiB`)
    console.log(
      table([
        ['', 'CPU s (least, mean ± deviation)', 'µs an event', 'found'],
        ...Object.keys(runs[0]!.cpu).map((name) => {
          const seconds = runs.map(({ cpu }) => cpu[name]! / 1000)
          return [name, spread(seconds, 2), ((Math.min(...seconds) * 1e6) / all).toFixed(2), String(found[name] ?? '')]
        }),
      ]),
    )
    console.log(JSON.stringify({ notes: found['notes'], ...coverage }))
  }
}
