/**
 * A witness as a difference from the recorded run. Events of a task run in their order, so it is enough to say how many run of each task (`runs`), how far the
 * recorded order is kept among them (`kept`), and what comes after that: which task runs for how many events, one run after another. A busy location has a
 * million racy pairs, each with an order as long as the trace; most of them keep the recorded order to the end, and the rest up to shortly before the end.
 */
import type { EventId, Trace } from '../trace/trace.ts'
import type { Witness } from './candidate.ts'

const NOTHING = new Int32Array(0)

export class Difference implements Witness {
  constructor(
    readonly trace: Trace,
    /** Per task: how many of its events run. */
    readonly runs: Int32Array,
    /** Of the first so many recorded events, those that run come first, as recorded. */
    readonly kept: number,
    /** Then these: pairs of a task and how many of its events follow. */
    readonly moved: Int32Array = NOTHING,
  ) {}

  /** The recorded order of the events that run. */
  static restricted(trace: Trace, runs: Int32Array): Difference {
    return new Difference(trace, runs, trace.eventCount)
  }

  /** The first `kept` recorded events, and then these. All of the former run. */
  static after(trace: Trace, kept: number, rest: Int32Array): Difference {
    const runs = countsAt(trace, kept)
    const moved = inRuns(trace, rest)
    for (let i = 0; i < moved.length; i += 2) runs[moved[i]!]! += moved[i + 1]!
    return new Difference(trace, runs, kept, moved)
  }

  /** Any order in which every task runs a prefix of its events in their order. */
  static of(trace: Trace, order: Int32Array): Difference {
    const all = inRuns(trace, order)
    const runs = new Int32Array(trace.taskCount)
    for (let i = 0; i < all.length; i += 2) runs[all[i]!]! += all[i + 1]!
    if (trace.facts.order !== 'global') return new Difference(trace, runs, 0, all)
    const recorded = trace.recordedOrder()
    const end = ends(trace, runs)
    let kept = 0
    let same = 0
    for (; same < order.length; kept++) {
      const e = recorded[kept]!
      if (e === order[same]) same++
      else if (e < end[trace.taskOf(e)]!) break
    }
    return new Difference(trace, runs, same === order.length ? trace.eventCount : kept, inRuns(trace, order.subarray(same)))
  }

  /** How many events run. */
  get length(): number {
    let length = 0
    for (const n of this.runs) length += n
    return length
  }

  /** How many events do not keep the recorded order. */
  get movedCount(): number {
    let count = 0
    for (let i = 1; i < this.moved.length; i += 2) count += this.moved[i]!
    return count
  }

  /** The whole order. Made anew at each call, and as long as the run. */
  get order(): Int32Array {
    const order = new Int32Array(this.length)
    const tail = this.movedCount
    const end = ends(this.trace, this.keptOfEach())
    let filled = 0
    if (tail < order.length) {
      const recorded = this.trace.recordedOrder()
      for (let i = 0; filled < order.length - tail; i++) {
        const e = recorded[i]!
        if (e < end[this.trace.taskOf(e)]!) order[filled++] = e
      }
    }
    this.eachMoved((e) => (order[filled++] = e))
    return order
  }

  /** Per task: how many of its events stand where the recorded order is kept. */
  keptOfEach(): Int32Array {
    const kept = this.runs.slice()
    for (let i = 0; i < this.moved.length; i += 2) kept[this.moved[i]!]! -= this.moved[i + 1]!
    return kept
  }

  /** Visits what does not keep the recorded order, first to last. */
  eachMoved(visit: (event: EventId) => void): void {
    const next = ends(this.trace, this.keptOfEach())
    for (let i = 0; i < this.moved.length; i += 2) {
      const task = this.moved[i]!
      for (let k = this.moved[i + 1]!; k > 0; k--) visit(next[task]!++)
    }
  }

  has(event: EventId): boolean {
    const task = this.trace.taskOf(event)
    return event - this.trace.taskStart[task]! < this.runs[task]!
  }

  /** These events as they come in the order; those that do not run are left out. */
  sorted(events: readonly EventId[]): EventId[] {
    const { trace, moved } = this
    const kept = ends(trace, this.keptOfEach())
    const place = new Map<EventId, number>()
    const there = events.filter((e) => this.has(e))
    const isKept = (e: EventId): boolean => e < kept[trace.taskOf(e)]!
    if (!there.every(isKept)) {
      let filled = 0
      for (let i = 0; i < moved.length; i += 2) {
        const first = kept[moved[i]!]!
        const end = (kept[moved[i]!]! += moved[i + 1]!)
        for (const e of there) if (e >= first && e < end) place.set(e, filled + e - first)
        filled += moved[i + 1]!
      }
    }
    const ranks = trace.ranks()
    return there.toSorted((a, b) => {
      const [i, j] = [place.get(a), place.get(b)]
      if (i === undefined || j === undefined) return i === j ? ranks[a]! - ranks[b]! : i === undefined ? -1 : 1
      return i - j
    })
  }
}

/** Per task: how many of its events are among the first `kept` recorded ones. */
export function countsAt(trace: Trace, kept: number): Int32Array {
  const counts = new Int32Array(trace.taskCount)
  for (let t = 0; t < counts.length; t++) counts[t] = trace.countAt(t, kept)
  return counts
}

const ends = (trace: Trace, counts: Int32Array): Int32Array => counts.map((n, t) => n + trace.taskStart[t]!)

/** Pairs of a task and a number of events, from events of which each task's are in their order. */
export function inRuns(trace: Trace, order: Int32Array): Int32Array {
  const pairs: number[] = []
  for (let i = 0; i < order.length;) {
    const task = trace.taskOf(order[i]!)
    const end = trace.taskStart[task + 1]!
    const from = i
    do i++
    while (i < order.length && order[i] === order[i - 1]! + 1 && order[i]! < end)
    pairs.push(task, i - from)
  }
  return Int32Array.from(pairs)
}
