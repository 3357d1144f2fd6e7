/**
 * Candidate intervals of BIPED: section 4.1, Table 1 and Algorithm 1. An interval runs from `bottom` (k⊥, in the task that should have gone
 * first) to `top` (k⊤, in the task that overtakes it). What overtakes is the top task's events inside the interval.
 *
 *   overdue use, Use-Predef(read, write):    top = NLF(read)   bottom = safe position at or before the write
 *   premature use, Use-Redef(read, write):   top = NLF(write)  bottom = safe position at or before the read
 *
 * NLF is the nearest lock-free position: the first release after which the task holds nothing. The two L-conditions of Table 1 (is a lock
 * held at all?) need no case of their own here: without locks both searches stop where they start.
 *
 * Where we differ from Algorithm 1 as printed:
 * - It compares with `nodes(t(i))`, the bottom task's own events; Definition 7 says the to-be-moved events, those of the top task. The
 *   two give different intervals, and PUI(33, t1, 23, t3) of section 2 needs the first reading while soundness needs the second. We ask
 *   for both: the sections around the bottom access are enclosed whole, and no lock held there is one a moved event holds.
 * - Its `count` starts at 1, so it accepts exactly when the last event alone conflicts. Meant is: when none does.
 * - The to-be-moved events are taken between the access and top, but going back from the access brings further events of the top task into
 *   the interval, which must move too. Here they count.
 * - Going back event by event is replaced by jumps to the acquire of the section in the way: every position inside it is unsafe too.
 * - A task that never becomes lock-free again has no NLF; the paper does not say what then. Here the interval ends at the access itself.
 *
 * All that is the tactic `whole`: sections are moved or passed whole, as in the paper, whose schedules run on to the end of the program. A
 * witness of ours ends right before the use and may leave sections open (docs/model.md, rule 3), so there is a second tactic, `cut`, for
 * reads the first one gives up on: bottom is the nearest position that is safe by Definition 7 alone, and the interval of an overdue use
 * ends at the use. It is shorter, so fewer orders lie inside it.
 */
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import type { BidirectionalTree } from './bidirectional-tree.ts'

export type UseType = 'overdue' | 'premature'

export type Tactic = 'whole' | 'cut'

/** A candidate interval: OUI(top, topTask, bottom, bottomTask) or PUI(…) in the paper's notation. */
export interface Ends {
  readonly top: EventId
  readonly topTask: TaskId
  readonly bottom: EventId
  readonly bottomTask: TaskId
}

/** The interval for a read and its neighbouring write. */
export function recognise(tree: BidirectionalTree, type: UseType, use: EventId, write: EventId, tactic: Tactic): Ends {
  const [late, early] = type === 'overdue' ? [use, write] : [write, use]
  const top = type === 'overdue' && tactic === 'cut' ? late : nearestLockFree(tree, late)
  const topTask = tree.trace.taskOf(late)
  const bottomTask = tree.trace.taskOf(early)
  return { top, topTask, bottom: lookForSafePosition(tree, early, bottomTask, top, topTask, tactic), bottomTask }
}

/** NLF: the event itself if its task holds nothing (or never lets go), else the first release after which it holds nothing. */
function nearestLockFree(tree: BidirectionalTree, access: EventId): EventId {
  const { release } = tree.sections
  let event = access
  for (;;) {
    const open = tree.openAfter(event)
    if (open.length === 0) return event
    for (const s of open) {
      if (release[s] === NONE) return access
      event = Math.max(event, release[s]!)
    }
  }
}

/** Algorithm 1. Ends at the latest when the task's first event is reached: before it, nothing is held. */
function lookForSafePosition(
  tree: BidirectionalTree,
  access: EventId,
  task: TaskId,
  top: EventId,
  topTask: TaskId,
  tactic: Tactic,
): EventId {
  const { acquire, release } = tree.sections
  const enclosesAccess = (s: number): boolean => release[s] === NONE || release[s]! > access
  let bottom = access
  for (;;) {
    const firstMoved = tree.firstFrom(topTask, tree.position[bottom]!)
    const inTheWay = tree.sections
      .openBefore(bottom, task)
      .filter((s) => (tactic === 'whole' && enclosesAccess(s)) || tree.holdsAgainst(s, topTask, firstMoved, top))
    if (inTheWay.length === 0) return bottom
    for (const s of inTheWay) bottom = Math.min(bottom, acquire[s]!)
  }
}
