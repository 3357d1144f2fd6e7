/**
 * Matching of properties on long runs: occurrences and violations, in events a second and memory, against a matcher that makes an object of every event and a list
 * for every binding (on a shorter run, per event). Each figure from a process of its own; rates are of processor time.
 *
 *   npm run bench:property [-- EVENTS OBJECTS]
 */
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Random } from '../src/base/random.ts'
import type { EventDeclaration, Pattern, Property } from '../src/property/ast.ts'
import type { Run, Violation } from '../src/property/instance.ts'
import { instances, newInstanceCounts } from '../src/property/instances.ts'
import { newMonitorCounts, violations } from '../src/property/monitor.ts'
import { occurrences } from '../src/property/occurrences.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { ARGUMENT, CALL, READ, RETURN } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'
import { fresh, machine, table, tell, timedBoth } from './measure.ts'

const SELF = fileURLToPath(import.meta.url)

const event = (name: string): Pattern => ({ kind: 'event', name })
const place = (name: string) => ({ kind: 'name', name }) as const
const call = (name: string, when: 'before' | 'after', methods: readonly string[], rest: Partial<EventDeclaration>): EventDeclaration => ({
  name,
  when,
  source: { kind: 'call', names: methods.map((method) => ({ owner: '*', subclasses: false, method })) },
  ...rest,
})

/** Seed 003, Figure 3. */
const UNSAFE_ITERATOR: Property = {
  kind: 'property',
  name: 'UnsafeIterator',
  parameters: [
    { type: 'collection', name: 'c' },
    { type: 'iterator', name: 'i' },
  ],
  events: [
    call('create', 'after', ['iterator'], { target: place('c'), returns: place('i') }),
    call('update', 'after', ['add*', 'remove*'], { target: place('c') }),
    call('next', 'before', ['next'], { target: place('i') }),
  ],
  pattern: {
    kind: 'sequence',
    parts: [
      event('create'),
      { kind: 'repeat', how: '*', inner: event('next') },
      { kind: 'repeat', how: '+', inner: event('update') },
      event('next'),
    ],
  },
  confirm: 'violation',
  on: true,
}

/** Seed 003, UnsafeDatabaseAccess: two parameters, and something that must not stand between. */
const UNSAFE_ACCESS: Property = {
  kind: 'property',
  name: 'UnsafeAccess',
  parameters: [
    { type: 'pool', name: 'p' },
    { type: 'client', name: 'c' },
  ],
  events: [
    call('lend', 'after', ['connect'], { target: place('p'), returns: place('c') }),
    call('give', 'before', ['release'], { target: place('p'), args: { places: [place('c')], more: true } }),
    call('use', 'before', ['query'], { target: place('c') }),
  ],
  pattern: { kind: 'sequence', parts: [event('give'), { kind: 'not', inner: event('lend') }, event('use')] },
  confirm: 'violation',
  on: true,
}

const PROPERTIES = { iterator: UNSAFE_ITERATOR, access: UNSAFE_ACCESS }
type Which = keyof typeof PROPERTIES

/** Objects are used for a while and then let go, as in a server. One event in five is of no interest; one change in a thousand breaks the property. */
function generate(which: Which, events: number, objects: number): Run {
  const builder = new TraceBuilder()
  const random = new Random(7)
  const tasks = Array.from({ length: 8 }, (_, t) => builder.task(`T${t}`))
  const name = (text: string): number => builder.names.intern(text)
  const returns = name('returns')
  const first = name('1')
  const other = builder.locations.intern('Thing#1.field')
  const site = Array.from({ length: 20 }, (_, s) => builder.sites.intern(`app.js:${s}:1`))
  const code = (text: string): number => builder.values.codeOf({ object: text })
  const owners = Math.max(1, Math.floor(objects / 10))
  const names =
    which === 'iterator'
      ? { make: name('List:Collection.iterator'), change: name('List:Collection.add'), use: name('ListIterator.next') }
      : {
          make: name('BoundPool:Pool:EventEmitter.connect'),
          change: name('BoundPool:Pool:EventEmitter.release'),
          use: name('Client.query'),
        }
  const parents = Array.from({ length: owners }, (_, o) => code(`List#${o + 1}`))
  const children = Array.from({ length: objects }, (_, o) => code(`ListIterator#${o + 1}`))
  const alive = Math.min(Math.ceil(objects / 50), 2_000)
  const per = Math.max(1, Math.floor(events / objects))
  for (let n = 0; builder.eventCount < events; n++) {
    const moving = Math.min(objects - alive, Math.floor(n / per))
    const child = moving + random.below(alive)
    const parent = parents[child % owners]!
    const object = children[child]!
    const task = tasks[random.below(8)]!
    const at = site[random.below(20)]!
    const roll = random.next()
    if (roll < 0.2) builder.add(task, READ, other, 0, at)
    else if (roll < 0.3) {
      builder.add(task, RETURN, names.make, parent, at)
      builder.add(task, ARGUMENT, returns, object, at)
    } else if (roll < 0.35) {
      const bad = random.chance(0.001)
      if (which === 'iterator') {
        // A collection whose iterators are not in use, but for the bad ones.
        const changed = bad ? parent : parents[(moving + alive + random.below(alive)) % owners]!
        builder.add(task, RETURN, names.change, changed, at)
      } else {
        builder.add(task, CALL, names.change, parent, at)
        builder.add(task, ARGUMENT, first, object, at)
        if (bad) continue
        builder.add(task, RETURN, names.make, parent, at)
        builder.add(task, ARGUMENT, returns, object, at)
      }
    } else builder.add(task, CALL, names.use, object, at)
  }
  return runOf(builder.finish())
}

function runOf(trace: Trace): Run {
  const same = (a: number, b: number): boolean => trace.taskOf(a) === trace.taskOf(b)
  return {
    trace,
    order: trace.recordedOrder(),
    mayPrecede: (a, b) => (same(a, b) ? a < b : true),
    sameTask: same,
    otherTask: (a, b) => !same(a, b),
    flow: (e) => trace.taskOf(e),
  }
}

/** The obvious way: an object for each event, names matched each time, a list of events for each value, all of it searched at each last event. */
function naive(which: Which, { trace, order }: Run): number {
  const matches = (name: string, methods: readonly RegExp[]): boolean => methods.some((method) => method.test(name))
  const words =
    which === 'iterator'
      ? { make: [/\.iterator$/], change: [/\.add[^.]*$/, /\.remove[^.]*$/], use: [/\.next$/] }
      : { make: [/\.connect$/], change: [/\.release$/], use: [/\.query$/] }
  interface Happened {
    readonly kind: string
    readonly at: number
    readonly target: string
    readonly operand: string
  }
  const byObject = new Map<string, Happened[]>()
  const violated = new Set<string>()
  const keep = (key: string, happened: Happened): void => void (byObject.get(key)?.push(happened) ?? byObject.set(key, [happened]))
  for (let at = 0; at < order.length; at++) {
    const e = order[at]!
    if (trace.op[e] !== CALL && trace.op[e] !== RETURN) continue
    const name = trace.targetName(e)
    const kind = matches(name, words.make) ? 'make' : matches(name, words.change) ? 'change' : matches(name, words.use) ? 'use' : ''
    if (kind === '') continue
    const target = trace.tables.values.textOf(trace.value[e]!)
    const operand = trace.op[e + 1] === ARGUMENT ? trace.tables.values.textOf(trace.value[e + 1]!) : ''
    const happened = { kind, at, target, operand }
    if (kind !== 'use') {
      keep(target, happened)
      if (operand !== '') keep(operand, happened)
      continue
    }
    for (const first of byObject.get(target) ?? []) {
      if (which === 'iterator') {
        if (first.kind !== 'make') continue
        if (byObject.get(first.target)!.some((then) => then.kind === 'change' && then.at > first.at))
          violated.add(`${first.target} ${target}`)
      } else if (first.kind === 'change') {
        const lent = byObject.get(target)!.some((then) => then.kind === 'make' && then.at > first.at && then.target === first.target)
        if (!lent) violated.add(`${first.target} ${target}`)
      }
    }
  }
  return violated.size
}

interface Figure {
  readonly cpu: number
  readonly events: number
  readonly found: number
  readonly more: string
  /** Bytes. */
  readonly grown: number
}

const held = (): number => process.memoryUsage().heapUsed

/** The naive matcher has one for each binding, the monitor for each binding and site. */
const bindings = (found: readonly Violation[]): number => new Set(found.map(({ binding }) => binding.join())).size

const WORK: Record<string, (which: Which, run: Run) => { found: number; more: string }> = {
  occurrences: (which, run) => ({
    found: occurrences(PROPERTIES[which], run).columns.reduce((n, column) => n + column.length, 0),
    more: '',
  }),
  violations: (which, run) => {
    const counts = newMonitorCounts()
    const found = bindings(violations(PROPERTIES[which], run, Infinity, { counts }))
    return { found, more: `${counts.tokens} tokens at most` }
  },
  window: (which, run) => {
    const counts = newMonitorCounts()
    const found = bindings(violations(PROPERTIES[which], run, Infinity, { counts, window: 200_000 }))
    return { found, more: `${counts.tokens} tokens at most, ${counts.evicted} let go` }
  },
  naive: (which, run) => ({ found: naive(which, run), more: '' }),
  instances: (which, run) => {
    const counts = newInstanceCounts()
    let found = 0
    for (const _ of instances(PROPERTIES[which], run, { counts, budget: 5_000_000 })) found++
    return { found, more: `${counts.steps} steps${counts.exhausted ? ', budget used up' : ''}, ${counts.capped} capped` }
  },
}

function measureOne([work, which, events, objects]: readonly string[]): void {
  const run = generate(which as Which, Number(events), Number(objects))
  // The peak of the process is that of making the trace; what matching takes shows in how the heap grows, garbage included.
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const before = held()
  const [result, { cpu }] = timedBoth(() => WORK[work!]!(which as Which, run))
  tell({ ...result, cpu, events: run.trace.eventCount, grown: held() - before } satisfies Figure)
}

const row = (work: string, which: Which, events: number, objects: number): string[] => {
  const { cpu, events: count, found, more, grown } = fresh<Figure>(SELF, ['one', work, which, String(events), String(objects)])
  return [
    `${which} ${work}`,
    String(count),
    String(objects),
    ((cpu * 1e6) / count).toFixed(0),
    (count / cpu / 1000).toFixed(2),
    Math.max(0, grown / 2 ** 20).toFixed(0),
    String(found),
    more,
  ]
}

function main(words: readonly string[]): void {
  const events = Number(words[0] ?? 10_000_000)
  const objects = Number(words[1] ?? 100_000)
  console.log(machine())
  const rows = [['', 'events', 'objects', 'ns CPU an event', 'million/s', 'heap MiB more', 'found', '']]
  for (const which of ['iterator', 'access'] as const) {
    for (const work of ['occurrences', 'violations', 'window']) rows.push(row(work, which, events, objects))
    const small = events / 10
    for (const work of ['violations', 'naive', 'instances']) rows.push(row(work, which, small, objects / 10))
  }
  console.log(`${table(rows)}\n\nthe cost of bindings: violations by number of objects\n`)
  const costs = [rows[0]!]
  for (const which of ['iterator', 'access'] as const) {
    for (const count of [1, 10, 1_000, 100_000]) costs.push(row('violations', which, events / 5, count))
  }
  console.log(table(costs))
}

if (process.argv[2] === 'one') measureOne(process.argv.slice(3))
else main(process.argv.slice(2))
