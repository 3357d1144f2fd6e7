/**
 * The communication-aware bidirectional tree (CBT) of BIPED: Definitions 2 and 3, and the operations getVRP and getVRS of section 4.2.
 *
 * A branch of the tree is a task's part of the trace's columns, so local predecessors and successors are the neighbouring events and take
 * no space. Remote orders (fork → first event, last event → join, notify → wake) are edges, kept twice: sorted by target for looking
 * back and by source for looking ahead. Events of a task are numbered in order, so "the edges into this stretch of this task" is one
 * binary search. A node's lock set is what causal/sections says is open after it.
 *
 * Where we differ:
 * - getVRP(k⊥, n) is defined in the paper as all remote predecessors of n's *thread* with an index between k⊥ and n. That takes in a notify
 *   whose wait comes only after n, and getVRS likewise takes in a successor of an event before n. Both call possible intervals impossible.
 *   Here an edge counts only if it ends at or before n (begins at or after n, looking ahead).
 * - The paper leaves out an edge that starts at k⊥ itself (its bound is strict); here it counts. k⊥ is never such an event today.
 * - A task without begin or end events has its first and last event instead.
 */
import { lowerBound } from '../../base/lower-bound.ts'
import { Sections } from '../../causal/sections.ts'
import { FORK, JOIN, NOTIFY, NOTIFY_ALL } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'
import { matchNotifies } from './notify-match.ts'

/** An order between tasks, as indexes into `source` and `target`. */
export type EdgeId = number

export class BidirectionalTree {
  readonly order: Int32Array
  /** The paper's k: where each event stands in the recorded order. */
  readonly position: Int32Array
  readonly sections: Sections
  /** Per edge, sorted by target. */
  readonly source: Int32Array
  readonly target: Int32Array
  /** The edges sorted by source, and their sources. */
  private readonly ahead: Int32Array
  private readonly aheadSource: Int32Array
  /** Sections by lock and mode, then by acquire: sectionsOf[start[2 * lock + exclusive] ..]. */
  private readonly modeStart: Int32Array
  private readonly modeSections: Int32Array

  constructor(readonly trace: Trace) {
    this.order = trace.recordedOrder()
    this.position = trace.ranks()
    this.sections = Sections.of(trace)

    const edges = this.remoteOrders()
    edges.sort((a, b) => a[1] - b[1] || a[0] - b[0])
    this.source = Int32Array.from(edges, (e) => e[0])
    this.target = Int32Array.from(edges, (e) => e[1])
    this.ahead = Int32Array.from(edges.keys()).sort((a, b) => this.source[a]! - this.source[b]! || a - b)
    this.aheadSource = this.ahead.map((e) => this.source[e]!)

    const { lock, exclusive, count } = this.sections
    this.modeStart = new Int32Array(2 * trace.tables.locks.size + 1)
    for (let s = 0; s < count; s++) this.modeStart[2 * lock[s]! + exclusive[s]! + 1]!++
    for (let m = 1; m < this.modeStart.length; m++) this.modeStart[m]! += this.modeStart[m - 1]!
    this.modeSections = new Int32Array(count)
    const fill = this.modeStart.slice()
    for (let s = 0; s < count; s++) this.modeSections[fill[2 * lock[s]! + exclusive[s]!]!++] = s
  }

  /** The edges into events `first` .. `last` of one task, as a range of edge numbers. With a bound on the source this is getVRP. */
  edgesInto(first: EventId, last: EventId): [EdgeId, EdgeId] {
    return [lowerBound(this.target, first), lowerBound(this.target, last + 1)]
  }

  /** The edges out of events `first` .. `last` of one task, sorted by source. With a bound on the target this is getVRS. */
  edgesOutOf(first: EventId, last: EventId): Int32Array {
    return this.ahead.subarray(lowerBound(this.aheadSource, first), lowerBound(this.aheadSource, last + 1))
  }

  /** The first event of the task that stands at `place` or later in the recorded order; one past its last event if none does. */
  firstFrom(task: TaskId, place: number): EventId {
    return this.trace.taskStart[task]! + this.trace.countAt(task, place)
  }

  /** The lock set of a node: the sections open after the event. */
  openAfter(event: EventId): number[] {
    return this.sections.openBefore(event + 1, this.trace.taskOf(event))
  }

  /** Does the task, at some time after one of its events `first` .. `last`, hold the section's lock in a way that excludes it? */
  holdsAgainst(section: number, task: TaskId, first: EventId, last: EventId): boolean {
    const lock = this.sections.lock[section]!
    if (this.heldSometime(2 * lock + 1, task, first, last)) return true
    return this.sections.exclusive[section] === 1 && this.heldSometime(2 * lock, task, first, last)
  }

  /** The notify that served the wake in the recorded run, or NONE. */
  notifyOf(wake: EventId): EventId {
    const [from, to] = this.edgesInto(wake, wake)
    for (let edge = from; edge < to; edge++) if (isNotify(this.trace.op[this.source[edge]!]!)) return this.source[edge]!
    return NONE
  }

  /** Why the edge is there, in a sentence. */
  sentence(edge: EdgeId): string {
    const { trace } = this
    const a = this.source[edge]!
    const b = this.target[edge]!
    if (trace.op[b] === JOIN && trace.target[b] === trace.taskOf(a)) return `e${b} joins ${trace.targetName(b)}, which ends with e${a}`
    if (trace.op[a] === FORK && trace.target[a] === trace.taskOf(b)) return `e${a} forks ${trace.targetName(a)}, which begins with e${b}`
    return `e${a} notifies ${trace.targetName(a)}, which e${b} waits for`
  }

  private heldSometime(mode: number, task: TaskId, first: EventId, last: EventId): boolean {
    if (first > last) return false
    const { acquire, release } = this.sections
    let lo = this.modeStart[mode]!
    let hi = this.modeStart[mode + 1]!
    const from = lo
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (acquire[this.modeSections[mid]!]! <= last) lo = mid + 1
      else hi = mid
    }
    if (lo === from) return false
    const section = this.modeSections[lo - 1]!
    if (this.sections.task[section] !== task) return false
    return release[section] === NONE || release[section]! > first
  }

  private remoteOrders(): [EventId, EventId][] {
    const { trace, position } = this
    const edges = matchNotifies(trace, position)
    for (let e = 0; e < trace.eventCount; e++) {
      if (trace.op[e] !== FORK && trace.op[e] !== JOIN) continue
      const first = trace.taskStart[trace.target[e]!]!
      const end = trace.taskStart[trace.target[e]! + 1]!
      if (first === end) continue
      const edge: [EventId, EventId] = trace.op[e] === FORK ? [e, first] : [end - 1, e]
      // An edge against the recorded order means a trace that is no run; the checker will say so.
      if (position[edge[0]]! < position[edge[1]]!) edges.push(edge)
    }
    return edges
  }
}

const isNotify = (op: number): boolean => op === NOTIFY || op === NOTIFY_ALL
