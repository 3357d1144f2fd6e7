/**
 * What BIPED's reckoning leaves out. Section 4.3 says its schedules "are guaranteed to possible, without violating mutual exclusion
 * constraints or the order constraints". They are not: the method looks at the locks of two tasks only, and treats a wait as an order
 * between two events. A schedule it calls possible can
 *
 * - let a moved event take a lock that a third task holds at bottom (its release stays behind, inside the interval);
 * - leave a section of a third task that moves along open, or open it against a lock that bottom's task holds;
 * - run a notify before the task it is meant for has begun to wait, so that it is lost (docs/model.md, rule 4).
 *
 * This walks the part of the schedule inside the interval, with each task standing where the recorded run has it at bottom, and names the
 * first such breach. It is linear in the interval, so a caller learns it without walking the whole trace. It is on the safe side only for
 * waits: it holds on to the recorded partner of each wake, though another notify might serve it. The verdict is not evidence; the checker
 * in witness/check.ts has the last word.
 */
import { WAKE, isAcquire, isRelease } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import type { BidirectionalTree } from './bidirectional-tree.ts'
import { waitsFrom } from './notify-match.ts'

/** The first rule that the order breaks, in a sentence. `part` follows the recorded order up to position `place`. */
export function flawOf(tree: BidirectionalTree, place: number, part: Int32Array): string | undefined {
  const { trace, sections } = tree
  const open = new Map<number, Set<number>>() // per lock, the sections that are open
  const closedBy = new Map<EventId, number>() // the releases of those
  const enter = (section: number): void => {
    const lock = sections.lock[section]!
    const others = open.get(lock)
    if (others) others.add(section)
    else open.set(lock, new Set([section]))
    if (sections.release[section] !== NONE) closedBy.set(sections.release[section]!, section)
  }
  for (let task = 0; task < trace.taskCount; task++) for (const s of sections.openBefore(tree.firstFrom(task, place), task)) enter(s)

  const rank = new Map<EventId, number>()
  for (const [i, e] of part.entries()) {
    rank.set(e, i)
    if (isAcquire(trace.op[e]!)) {
      const section = sections.opening(e)
      if (section === NONE) continue
      for (const other of open.get(trace.target[e]!) ?? [])
        if (sections.conflict(section, other))
          return `e${e} takes ${trace.targetName(e)} while ${trace.taskName(sections.task[other]!)} holds it`
      enter(section)
    } else if (isRelease(trace.op[e]!)) {
      const section = closedBy.get(e)
      if (section !== undefined) open.get(trace.target[e]!)!.delete(section)
    } else if (trace.op[e] === WAKE) {
      const release = waitsFrom(trace, e)
      const notify = tree.notifyOf(e)
      // A release before the interval stands before every notify that came after it in the recorded run.
      const waits = rank.get(release)
      if (waits !== undefined && notify !== NONE && (rank.get(notify) ?? -1) < waits)
        return `e${notify} notifies ${trace.targetName(e)} before e${release} begins to wait for it`
    }
  }
  return undefined
}
