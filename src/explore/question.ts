/**
 * Departures from a run, and what an order that makes one has to fulfil. A departure is
 *
 *     reads    a read sees another value than it saw (maximal causality reduction, Huang, PLDI 2015)
 *     goes on  a task that had not ended when the run did takes one more step
 *     stuck    the tasks stop at these events, and none of them can go on
 *
 * Where we differ from the paper: it makes one order for each value, and may run a class twice or never. Here an order must contain something that no
 * run with the same departure has (`elsewhere`). So every run is of a new class, and when no question has an answer any more, every class was run:
 * docs/explore.md has the argument.
 */
import { lowerBound } from '../base/lower-bound.ts'
import { NOTIFY_ALL, WAKE } from '../trace/ops.ts'
import { shortSite } from '../trace/site.ts'
import { NONE, type EventId, type TaskId } from '../trace/trace.ts'
import type { Clause, Demands } from '../witness/candidate.ts'
import type { Asked, RunClass } from './class.ts'
import type { Histories } from './histories.ts'

export type Departure =
  /** `event`: of the run. `value`: as histories have it; undefined: what its location starts with, which nobody has seen. */
  | { readonly kind: 'reads'; readonly event: EventId; readonly value: string | undefined }
  | { readonly kind: 'goes on'; readonly task: TaskId }
  /** Per task: how many events it has run. */
  | { readonly kind: 'stuck'; readonly stops: Int32Array }

/** `thread 2 reads ready = 1 (a.c:15)` */
export function wordsOf({ seen: { trace } }: RunClass, departure: Departure): string {
  if (departure.kind === 'stuck') return 'no thread can go on'
  if (departure.kind === 'goes on') return `${trace.taskName(departure.task)} takes one more step`
  const { event, value = 'what it starts with' } = departure
  const site = shortSite(trace.siteName(event))
  return `${trace.taskName(trace.taskOf(event))} reads ${trace.targetName(event)} = ${value}${site === '' ? '' : ` (${site})`}`
}

const NOTHING: Demands = { next: [], before: [], include: [], without: [], either: [] }

/** What may be demanded, one after the other: each is another way to make the departure. `cameTo`: runs that earlier orders for it led to, although they show nothing of it. */
export function* demandsOf(
  of: RunClass,
  asked: Asked,
  departure: Departure,
  all: readonly RunClass[],
  histories: Histories,
  cameTo: readonly RunClass[] = [],
): Generator<Demands> {
  if (departure.kind === 'reads') yield* toRead(of, asked, departure.event, departure.value, all, histories, cameTo)
  else if (departure.kind === 'goes on') yield* toGoOn(of, asked, departure.task, all, histories)
  else yield* toStop(asked, departure.stops, of)
}

function* toRead(
  of: RunClass,
  asked: Asked,
  event: EventId,
  value: string | undefined,
  all: readonly RunClass[],
  histories: Histories,
  cameTo: readonly RunClass[],
): Generator<Demands> {
  const { bound, decider } = asked
  const { trace } = of.played.threads
  const read = bound.at[event]!
  const next = bound.beginOfStep(read)
  const node = of.seen.before(event)
  const same = value === undefined ? NONE : histories.known(node, of.seen.what(event, value))
  // Earlier runs that came to the read are asked themselves.
  const earlier = (run: number): boolean => run < of.number && strictlyAfter(all[run]!, of, event)
  const covered = new Set([...histories.runsAt(same), ...histories.runsAt(node).filter(earlier)])
  covered.delete(of.number)
  const clauses = elsewhere(
    of,
    asked,
    [...covered].map((run) => all[run]!),
    trace.taskOf(event),
    next,
  )
  const beyond = elsewhere(of, asked, cameTo, trace.taskOf(event), next, true)
  if (!clauses || !beyond) return
  clauses.push(...beyond)
  const x = bound.trace.target[read]!
  const writes = decider.causality.writes.of(x)
  const without = standing(of, asked)
  if (value === undefined) {
    yield { ...NOTHING, next: [next], without: [...without, ...firstOfEach(asked, writes)], either: clauses }
    return
  }
  for (const write of writes) {
    if (textOf(of, asked, write) !== value || decider.must.before(read, write) || isHidden(asked, writes, write, read)) continue
    const others: Clause[] = []
    for (const other of writes)
      if (other !== write && !decider.must.before(other, write) && !decider.must.before(read, other))
        others.push([
          [other, write],
          [NONE, other],
        ])
    yield { ...NOTHING, next: [next], include: [write], without, either: [...others, ...clauses] }
  }
}

function* toGoOn(of: RunClass, asked: Asked, task: TaskId, all: readonly RunClass[], histories: Histories): Generator<Demands> {
  const { bound, decider } = asked
  const first = bound.standing[task]!
  if (first === NONE) return
  const last = bound.endOfStep(first)
  const name = of.played.threads.trace.taskName(task)
  const goneOn = histories.runsAt(of.seen.end(task)).filter((run) => {
    const { seen } = all[run]!
    const there = seen.trace.tables.tasks.find(name)
    return run !== of.number && seen.end(there) !== of.seen.end(task)
  })
  const clauses = elsewhere(
    of,
    asked,
    goneOn.map((run) => all[run]!),
    task,
    first,
  )
  if (!clauses) return
  const others = standing(of, asked).filter((e) => e < first || e > last)
  const demands = { ...NOTHING, include: [last], without: others, either: clauses }
  if (bound.trace.op[first] !== WAKE) yield demands
  else
    for (const notify of decider.causality.notifies.of(bound.trace.target[first]!))
      yield {
        ...demands,
        before: [
          [first - 1, notify],
          [notify, first],
        ],
      }
}

function* toStop(asked: Asked, stops: Int32Array, of: RunClass): Generator<Demands> {
  const { bound } = asked
  const { trace } = of.played.threads
  const next: EventId[] = []
  const include: EventId[] = []
  const without = standing(of, asked)
  const waits: EventId[] = []
  for (let t = 0; t < stops.length; t++) {
    const [from, end] = [trace.taskStart[t]!, trace.taskStart[t + 1]!]
    if (from === end) continue
    const stop = from + stops[t]!
    if (stop === end) include.push(bound.endOfStep(bound.at[end - 1]!))
    else if (stops[t] === 0) without.push(bound.at[from]!)
    else next.push(bound.at[stop]!)
    const waitsAt = stop < end ? (trace.op[stop] === WAKE ? bound.at[stop]! : NONE) : standingWake(asked, t)
    if (waitsAt !== NONE) waits.push(waitsAt)
  }
  const demands: Demands = { ...NOTHING, next, include, without }
  // Who waits for ever was not notified: what all are told comes before, and what one is told goes to another, or comes before, too.
  const told = (reaches: (notify: EventId, wake: EventId) => boolean): (readonly [EventId, EventId])[] =>
    waits.flatMap((wake) =>
      [...asked.decider.causality.notifies.of(bound.trace.target[wake]!)]
        .filter((n) => reaches(n, wake) && isRun(asked, of, stops, n))
        .map((n) => [n, wake - 1] as const),
    )
  const all = told(() => true)
  yield { ...demands, before: all }
  const others = new Set<number>()
  for (let e = 0; e < bound.trace.eventCount; e++)
    if (bound.trace.op[e] === WAKE && isRun(asked, of, stops, e)) others.add(bound.trace.target[e]!)
  const unlessTaken = told((notify, wake) => bound.trace.op[notify] === NOTIFY_ALL || !others.has(bound.trace.target[wake]!))
  if (unlessTaken.length < all.length) yield { ...demands, before: unlessTaken }
}

/** Is the event among those that run? */
function isRun({ bound }: Asked, { played }: RunClass, stops: Int32Array, e: EventId): boolean {
  const task = bound.trace.taskOf(e)
  const { trace } = played.threads
  const stop = trace.taskStart[task]! + stops[task]!
  return stop === trace.taskStart[task + 1]! || e < bound.at[stop]!
}

function standingWake({ bound }: Asked, task: TaskId): EventId {
  const first = bound.standing[task]!
  return first !== NONE && bound.trace.op[first] === WAKE ? first : NONE
}

/**
 * In the order is something that these runs do not have, of a task other than `task`. undefined: nothing can be. `shownByBoth`: events at places that one of two runs does not show are no
 * difference.
 */
function elsewhere(
  of: RunClass,
  { bound, decider }: Asked,
  runs: readonly RunClass[],
  task: TaskId,
  until: EventId,
  shownByBoth = false,
): Clause[] | undefined {
  const { trace } = of.played.threads
  const clauses: Clause[] = []
  const told = new Set<string>()
  for (const run of runs) {
    const clause: (readonly [EventId, EventId])[] = []
    for (let t = 0; t < trace.taskCount; t++) {
      if (t === task) continue
      const first = trace.taskStart[t]! + (shownByBoth ? of.seen.agreesInPart(t, run.seen) : of.seen.agrees(t, run.seen))
      if (first === trace.taskStart[t + 1]!) continue
      const e = bound.endOfStep(bound.at[first]!)
      if (!decider.must.before(until, e)) clause.push([e, until])
    }
    if (clause.length === 0) return undefined
    const key = clause.join(' ')
    if (!told.has(key)) clauses.push(clause)
    told.add(key)
  }
  return clauses
}

/** Did the run come to the read, and do it? */
function strictlyAfter(run: RunClass, of: RunClass, event: EventId): boolean {
  const { trace } = of.seen
  const task = trace.taskOf(event)
  const there = run.seen.trace.tables.tasks.find(trace.taskName(task))
  const count = event - trace.taskStart[task]!
  return run.seen.trace.taskStart[there + 1]! - run.seen.trace.taskStart[there]! > count
}

/** What tasks stand before, and what the program failed with: none of it is part of an order that does not ask for it. */
const standing = (of: RunClass, asked: Asked): EventId[] => [...asked.bound.standing.filter((e) => e !== NONE), ...lastOfFailed(of, asked)]

/** The step with which the program failed ends every run that has it. */
function lastOfFailed({ played: { failed, threads } }: RunClass, { bound }: Asked): EventId[] {
  if (!failed || threads.trace.eventCount === 0) return []
  const last = threads.trace.recordedOrder().at(-1)!
  return [bound.beginOfStep(bound.at[last]!)]
}

/** Of each task the first of these events. */
function firstOfEach({ bound }: Asked, events: Iterable<EventId>): EventId[] {
  const first = new Map<TaskId, EventId>()
  for (const e of events) {
    const t = bound.trace.taskOf(e)
    if (!first.has(t)) first.set(t, e)
  }
  return [...first.values()]
}

/** Certainly another write comes between the two. */
const isHidden = ({ decider: { must } }: Asked, writes: Int32Array, write: EventId, read: EventId): boolean =>
  writes.some((w) => w !== write && must.before(write, w) && must.before(w, read))

/** What a write writes, as histories have it. What locations start with is written by nobody. */
export function textOf({ seen }: RunClass, { bound }: Asked, write: EventId): string {
  const { trace } = bound
  const text = trace.tables.values.textOf(trace.value[write]!)
  return text === '' ? seen.valueOf(lowerBound(bound.at, write)) : text
}
