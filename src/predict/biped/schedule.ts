/**
 * The block move of BIPED, section 4.3: from a possible interval to an order of the recorded events that turns the use around.
 *
 * Where we differ:
 * - The text moves "all the events owned by t⊥ within this interval to the position before event e_k⊤". Its examples do something else,
 *   ⟨22…26, 20, 21⟩ and ⟨28, 29, 30, 13…27⟩: the events of t⊤ go in front of e_k⊥. The text's version would put t⊥'s events between the
 *   others and e_k⊤, which does not even keep an unlock at e_k⊤ with its section. We follow the examples, for both types.
 * - Moving the events of t⊤ alone is not enough: one of them may wait for a third task's notify, join or fork inside the interval. The paper
 *   has checked (mutate.ts) that no such chain starts in t⊥, so the events it goes through can move along, and do: of each task, those up to
 *   the last one that top depends on. They move in recorded order, and the rest follows in recorded order.
 * - The locks of what moves along, and the locks third tasks hold at bottom, are not in the paper's reckoning: see flaw.ts.
 */
import type { EventId, TaskId } from '../../trace/trace.ts'
import type { BidirectionalTree } from './bidirectional-tree.ts'
import type { Ends } from './recognise.ts'

/** The events of the interval in their new order. `moved` is what canBackwardMutate reached: per task, the last event that moves. */
export function permutedInterval(tree: BidirectionalTree, ends: Ends, moved: ReadonlyMap<TaskId, EventId>): Int32Array {
  const recorded = tree.order.subarray(tree.position[ends.bottom], tree.position[ends.top]! + 1)
  const permuted = new Int32Array(recorded.length)
  const stays = new Int32Array(recorded.length)
  let front = 0
  let back = 0
  for (const e of recorded) {
    if (e <= (moved.get(tree.trace.taskOf(e)) ?? -1)) permuted[front++] = e
    else stays[back++] = e
  }
  permuted.set(stays.subarray(0, back), front)
  return permuted
}

/** The recorded order up to `place`, then `rest`. What follows the interval is left out. */
export function afterPrefix(recorded: Int32Array, place: number, rest: Int32Array): Int32Array {
  const order = new Int32Array(place + rest.length)
  order.set(recorded.subarray(0, place))
  order.set(rest, place)
  return order
}
