/**
 * Can the top of an interval overtake its bottom? CanBackwardMutate and CanForwardMutate of BIPED (section 4.2, Algorithms 2 and 3): no, if
 * a chain of remote orders inside the interval leads from bottom to top. One looks back from top, for overdue uses; the other ahead from
 * bottom, for premature uses. Both reach the same verdict; the paper has two so that they can run in parallel, and so they do (predict/lanes.ts).
 *
 * Where we differ:
 * - The paper's loops put a node back into the set whenever another one leads to it. They end, because indexes only fall (or rise), but may
 *   look at the same node in every round: quadratic at best where two tasks notify each other back and forth. Here each task remembers how
 *   far it has been reached, and only the stretch beyond it is looked at: every edge inside the interval is visited once.
 * - Edges are tried from the far end (looking back: earliest first). A fork or a join, the most frequent reason why not, is found at once
 *   however long the interval is.
 * - The answer keeps the chain, to say why not, and how far each task was reached: what must move along (schedule.ts).
 */
import type { EventId, TaskId } from '../../trace/trace.ts'
import type { BidirectionalTree, EdgeId } from './bidirectional-tree.ts'
import type { Ends } from './recognise.ts'

export interface Mutation {
  /** The chain of edges from bottom to top that forbids the move, in that order; undefined when nothing does. */
  readonly chain: readonly EdgeId[] | undefined
  /**
   * Backward: per task, the last event inside the interval that top depends on. Forward: per task, the first event inside the interval
   * that depends on bottom. Complete only when there is no chain.
   */
  readonly reached: ReadonlyMap<TaskId, EventId>
}

/** A stretch of a task still to be looked at, and the steps that led to it. */
interface Stretch {
  first: EventId
  last: EventId
  via: Step | undefined
}

interface Step {
  edge: EdgeId
  via: Step | undefined
}

export function canBackwardMutate(tree: BidirectionalTree, ends: Ends): Mutation {
  const { trace, position } = tree
  const floor = position[ends.bottom]!
  const reached = new Map<TaskId, EventId>([[ends.topTask, ends.top]])
  const work: Stretch[] = [{ first: tree.firstFrom(ends.topTask, floor), last: ends.top, via: undefined }]
  for (let next = work.pop(); next; next = work.pop()) {
    const [from, to] = tree.edgesInto(next.first, next.last)
    for (let edge = from; edge < to; edge++) {
      const source = tree.source[edge]!
      if (position[source]! < floor) continue
      const via: Step = { edge, via: next.via }
      const task = trace.taskOf(source)
      if (task === ends.bottomTask) return { chain: stepsOf(via), reached }
      const before = reached.get(task)
      const first = before === undefined ? tree.firstFrom(task, floor) : before + 1
      if (source < first) continue
      reached.set(task, source)
      work.push({ first, last: source, via })
    }
  }
  return { chain: undefined, reached }
}

export function canForwardMutate(tree: BidirectionalTree, ends: Ends): Mutation {
  const { trace, position } = tree
  const ceiling = position[ends.top]!
  const reached = new Map<TaskId, EventId>([[ends.bottomTask, ends.bottom]])
  const lastOf = (task: TaskId): EventId => tree.firstFrom(task, ceiling + 1) - 1
  const work: Stretch[] = [{ first: ends.bottom, last: lastOf(ends.bottomTask), via: undefined }]
  for (let next = work.pop(); next; next = work.pop()) {
    const edges = tree.edgesOutOf(next.first, next.last)
    for (let i = edges.length - 1; i >= 0; i--) {
      const edge = edges[i]!
      const target = tree.target[edge]!
      if (position[target]! > ceiling) continue
      const via: Step = { edge, via: next.via }
      const task = trace.taskOf(target)
      if (task === ends.topTask) return { chain: stepsOf(via).toReversed(), reached }
      const before = reached.get(task)
      const last = before === undefined ? lastOf(task) : before - 1
      if (target > last) continue
      reached.set(task, target)
      work.push({ first: target, last, via })
    }
  }
  return { chain: undefined, reached }
}

/** From the step taken last to the first one: bottom to top when looking back. */
function stepsOf(last: Step): EdgeId[] {
  const chain: EdgeId[] = []
  for (let step: Step | undefined = last; step; step = step.via) chain.push(step.edge)
  return chain
}
