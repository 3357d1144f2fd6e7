/**
 * What a failing run of threads reversed: conflicting accesses of two threads to one location that the recorded run has in one order and the failing
 * run in the other. Two accesses are the same if the same thread does the same at the same site for the n-th time. Nearest to the failure first: what
 * the thread that failed did last.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { OrderRow } from '../schedule/order.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Joined } from '../trace/joined.ts'
import { FORK, UPDATE, isRead, isWrite } from '../trace/ops.ts'
import { parted, tooEarly, tooLate, type Told } from '../trace/sentences.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import type { Pair, Place } from './pairs.ts'
import type { Turned } from './turned.ts'

/** Flips that are put into words. */
const MOST_TOLD = 20
/** In the place of an object. */
const NOTHING = /^(0|null|undefined)$/
/** Of a read and a write, where the read sees in the failing run what it saw in the recorded one. */
const SEES_THE_SAME = 9
/** Reads since the last write that are compared with the next one. */
const MOST_READS = 16
/** Threads whose last write to a location is compared with what comes next there. */
const MOST_WRITERS = 8
/** Events between two accesses of one update at most. */
const FAR = 64

/** `failed`: the thread that crashed or threw, if one did. Best first. */
export function turnedAmongThreads(recorded: Joined, failing: Joined, failed: string | undefined): Turned[] {
  const before = new Accesses(recorded)
  const after = new Accesses(failing)
  const found = new Map<string, Flip>()
  for (const [u, v, isNearest] of before.conflicts()) {
    const [first, second] = [after.find(before.key(u)), after.find(before.key(v))]
    if (second === NONE || (first !== NONE && after.place(first) < after.place(second))) continue
    // One farther off that has not come at all explains nothing.
    if (!isNearest && first === NONE) continue
    const same = sameSeen(before, after, u, v, first, second)
    const flip = { u, v, second, same, points: pointsOf(before, after, u, v, first, second, failed) - same }
    const key = `${before.site(u)} ${before.site(v)} ${before.trace.target[u]}`
    const known = found.get(key)
    if (!known || known.points < flip.points) found.set(key, flip)
  }
  return [...found.values()]
    .sort((a, b) => b.points - a.points)
    .slice(0, MOST_TOLD)
    .flatMap((flip) => toldOf(before, after, flip))
    .sort((a, b) => b.points - a.points)
}

/** Conflicts of a run, and what a finding says where one is turned round; of the same two lines the last. */
export function conflictsAmong(recorded: Joined): { readonly pair: Pair; readonly location: string; readonly summary: string }[] {
  const before = new Accesses(recorded)
  const { trace } = recorded
  const found = new Map<string, Flip>()
  for (const [u, v] of before.conflicts())
    found.set(`${before.site(u)} ${before.site(v)} ${trace.target[u]}`, { u, v, second: NONE, points: 0, same: 0 })
  const place = (e: EventId): Place => ({ label: before.who(e), nth: recorded.steps.stepOf[e]!, offLoop: false })
  return [...found.values()].map((flip) => ({
    pair: { first: place(flip.u), second: place(flip.v) },
    location: trace.targetName(flip.u),
    summary: describe(before, flip).summary,
  }))
}

/** Two accesses of the recorded run; `second`: the later one in the failing run. */
interface Flip {
  readonly u: EventId
  readonly v: EventId
  readonly second: EventId
  readonly points: number
  /** Of these, what it costs that a read sees what it saw in the recorded run. */
  readonly same: number
}

/** Reads and writes of one run, in its order. */
class Accesses {
  readonly trace: Trace
  /** In the order of the run. */
  private readonly events: EventId[] = []
  private readonly placeOf: Int32Array
  private readonly keys = new Map<EventId, string>()
  private readonly byKey = new Map<string, EventId>()

  constructor(private readonly joined: Joined) {
    const { trace } = ((this.trace = joined.trace), joined)
    this.placeOf = new Int32Array(trace.eventCount).fill(NONE)
    const counts = new Map<string, number>()
    for (const e of trace.recordedOrder()) {
      const op = trace.op[e]!
      if (!isRead(op) && !isWrite(op)) continue
      this.placeOf[e] = this.events.length
      this.events.push(e)
      const key = `${this.who(e)} ${this.site(e)} ${isWrite(op)} ${trace.targetName(e)}`
      const nth = (counts.get(key) ?? 0) + 1
      counts.set(key, nth)
      this.keys.set(e, `${key} ${nth}`)
      this.byKey.set(`${key} ${nth}`, e)
    }
  }

  get count(): number {
    return this.events.length
  }

  key(e: EventId): string {
    return this.keys.get(e)!
  }

  find(key: string): EventId {
    return this.byKey.get(key) ?? NONE
  }

  place(e: EventId): number {
    return this.placeOf[e]!
  }

  who(e: EventId): string {
    return this.trace.taskName(this.trace.taskOf(e))
  }

  site(e: EventId): string {
    return this.trace.siteName(e).split(' < ')[0]!
  }

  value(e: EventId): string {
    return this.trace.tables.values.textOf(this.trace.value[e]!)
  }

  writes(e: EventId): boolean {
    return isWrite(this.trace.op[e]!)
  }

  /**
   * Accesses of two threads to one location, one of which writes: each with the last write of every other thread, for one that lies in between may have nothing to do with the
   * failure; a write with the reads since the last one.
   */
  *conflicts(): Generator<readonly [EventId, EventId, boolean]> {
    const { trace } = this
    const last = new Map<number, { writes: Map<TaskId, EventId>; reads: EventId[] }>()
    for (const e of this.events) {
      const at = trace.target[e]!
      const task = trace.taskOf(e)
      let known = last.get(at)
      if (!known) last.set(at, (known = { writes: new Map(), reads: [] }))
      const nearest = [...known.writes.values()].at(-1)
      for (const [other, write] of known.writes) if (other !== task) yield [write, e, write === nearest]
      if (this.writes(e)) {
        for (const read of known.reads) if (trace.taskOf(read) !== task) yield [read, e, true]
        known.writes.delete(task)
        known.writes.set(task, e)
        if (known.writes.size > MOST_WRITERS) known.writes.delete(known.writes.keys().next().value!)
        known.reads = []
      } else {
        known.reads.push(e)
        if (known.reads.length > MOST_READS) known.reads.shift()
      }
    }
  }

  /** The read of the same thread and location before a write, where it did not write in between: one update. */
  readBefore(e: EventId): EventId {
    const { trace } = this
    if (trace.op[e] === UPDATE) return NONE
    const from = trace.taskStart[trace.taskOf(e)]!
    for (let k = e - 1; k >= from && k > e - FAR; k--) {
      if (trace.target[k] !== trace.target[e]) continue
      if (isWrite(trace.op[k]!)) return NONE
      if (isRead(trace.op[k]!)) return k
    }
    return NONE
  }

  /** The next write of the same thread and location after a read, if it is near. */
  writeAfter(e: EventId): EventId {
    const { trace } = this
    const end = trace.taskStart[trace.taskOf(e) + 1]!
    for (let k = e + 1; k < end && k < e + FAR; k++) if (trace.target[k] === trace.target[e] && isWrite(trace.op[k]!)) return k
    return NONE
  }

  /** The write of the same thread and location before this access. */
  writeBefore(e: EventId): EventId {
    const { trace } = this
    const from = trace.taskStart[trace.taskOf(e)]!
    for (let k = e - 1; k >= from && k > e - FAR; k--) if (trace.target[k] === trace.target[e] && isWrite(trace.op[k]!)) return k
    return NONE
  }

  row(e: EventId, at: number): OrderRow {
    const { trace, joined } = this
    const who = this.who(e)
    const value = this.value(e)
    return {
      turn: { label: who, nth: joined.steps.stepOf[e]! },
      name: who,
      chain: who,
      offLoop: false,
      posted: this.made(e),
      at,
      accesses: [
        {
          access: this.writes(e) ? 'write' : 'read',
          location: trace.targetName(e),
          ...(value === '' ? {} : { value }),
          site: this.site(e),
        },
      ],
    }
  }

  /** Where its thread was made. */
  private made(e: EventId): string {
    const { trace } = this
    const task = trace.taskOf(e)
    for (let k = 0; k < trace.eventCount; k++) if (trace.op[k] === FORK && trace.target[k] === task) return trace.siteName(k)
    return ''
  }
}

/** As it stands; and where an earlier update is broken into, that, too: which of them matters an experiment says. */
function toldOf(before: Accesses, after: Accesses, flip: Flip): Turned[] {
  const region = partedBy(before, after, flip)
  const told = region ? [describe(before, flip, region)] : []
  const own = ownUpdate(before, after, flip)
  if (own !== NONE) told.push(describe(before, { ...flip, u: own, v: flip.u, points: flip.points + flip.same }, [flip.v, own]))
  return region?.[1] === flip.u ? told : [...told, describe(before, flip)]
}

/**
 * The read of v begins an update of its own, whose write comes after the other's in the failing run: the other has broken into it. What the read sees may be the same as before then: what
 * counts is that it is no longer so when it writes.
 */
function ownUpdate(before: Accesses, after: Accesses, { u, v, second }: Flip): EventId {
  if (before.writes(v) || !before.writes(u)) return NONE
  const write = before.writeAfter(v)
  const [there, other] = [write === NONE ? NONE : after.find(before.key(write)), after.find(before.key(u))]
  if (there === NONE || other === NONE) return NONE
  const isBroken = after.place(second) < after.place(other) && after.place(other) < after.place(there)
  return isBroken ? write : NONE
}

function describe(before: Accesses, { u, v, points }: Flip, region?: readonly [EventId, EventId]): Turned {
  const { trace } = before
  const at = (e: EventId): string =>
    before.site(e) === ''
      ? ''
      : ` (${
          before
            .site(e)
            .replace(/:(\d+):\d+/, ':$1')
            .split(' ')[0]
        })`
  const told = (...those: EventId[]): Told => ({ who: those.map((e) => before.who(e)), at: those.map(at), what: trace.targetName(u) })
  const [read, end] = region ?? [NONE, u]
  const shown = region ? [read, end, v] : [u, v]
  const label = before.writes(end) ? 'lost update' : 'stale read'
  const named: Pick<Saved, 'kind' | 'pattern' | 'summary'> = region
    ? { kind: 'atomicity', pattern: label, summary: parted(label, told(read, v, end)) }
    : before.writes(u) && !before.writes(v)
      ? { kind: 'order-violation', pattern: 'stale read', summary: tooEarly('stale read', told(v, u)) }
      : before.writes(u)
        ? {
            kind: 'order-violation',
            pattern: 'write order',
            summary: `${before.who(v)} can write ${trace.targetName(u)}${at(v)} before ${before.who(u)} does${at(u)}.`,
          }
        : { kind: 'order-violation', pattern: 'read order', summary: tooLate(told(v, u)) }
  const failing = region ? [read, v, end] : [v, u]
  const line = (e: EventId): string => before.site(e).replace(/:(\d+):\d+/, ':$1')
  return {
    ...named,
    fingerprint: fingerprintOf([named.kind, named.pattern, line(end), line(v), trace.targetName(u).replaceAll(/#\d+/g, '#')]),
    sites: [...new Set(shown.map((e) => before.site(e)))].filter((site) => site !== ''),
    locations: [trace.targetName(u)],
    observed: shown.sort((a, b) => before.place(a) - before.place(b)).map((e, i) => before.row(e, i)),
    failing: failing.map((e, i) => before.row(e, i)),
    why: [],
    points: points + (region && before.writes(end) ? 6 : 0),
  }
}

/**
 * What the write of v comes into: an update of the thread of u, be it an earlier one than that of u itself, or two reads of it at different places. Both ends stand before v in the
 * recorded run; in the failing run the first has come before it, the second only after.
 */
function partedBy(before: Accesses, after: Accesses, { u, v, second }: Flip): readonly [EventId, EventId] | undefined {
  if (!before.writes(v)) return undefined
  const isBefore = (e: EventId): boolean => {
    const there = after.find(before.key(e))
    return there !== NONE && after.place(there) < after.place(second)
  }
  for (let end: EventId = u; end !== NONE && !isBefore(end); end = before.writes(u) ? before.writeBefore(end) : NONE) {
    const begin = before.readBefore(end)
    const isOne = begin !== NONE && (before.writes(end) || before.site(begin) !== before.site(end))
    if (isOne && isBefore(begin)) return [begin, end]
  }
  return undefined
}

/** Who sees the same as before does the same as before. */
function sameSeen(before: Accesses, after: Accesses, u: EventId, v: EventId, first: EventId, second: EventId): number {
  let points = 0
  for (const [recorded, e] of [
    [u, first],
    [v, second],
  ] as const)
    if (e !== NONE && !after.writes(e) && before.value(recorded) !== '' && before.value(recorded) === after.value(e))
      points += SEES_THE_SAME
  return points
}

/** Judgement, not measurement: see the head of the file. */
function pointsOf(
  before: Accesses,
  after: Accesses,
  u: EventId,
  v: EventId,
  first: EventId,
  second: EventId,
  failed: string | undefined,
): number {
  let points = 0
  for (const e of [u, v]) points += /^\/usr\/|^\.\/nptl|node_modules\//.test(before.site(e)) || before.site(e) === '' ? 0 : 5
  // Who failed saw it; and a pointer that is gone explains a crash best.
  for (const [recorded, e] of [
    [u, first],
    [v, second],
  ] as const) {
    if (e === NONE || after.writes(e)) continue
    if (failed === undefined || after.who(e) !== failed) continue
    points += 6
    if (before.value(recorded).startsWith('#') && NOTHING.test(after.value(e))) points += 8
  }
  points += first === NONE ? 0 : 6
  const last = Math.max(second === NONE ? 0 : after.place(second), first === NONE ? 0 : after.place(first))
  return points + (4 * last) / Math.max(1, after.count)
}
