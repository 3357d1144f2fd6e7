/**
 * What a thread does after a check, with system calls or memory of its own, is not in the trace of what threads share. So if another thread changes
 * what was checked, one replay is tried in which the change comes right after the check, and the other thread continues: the order of the two is the
 * recorded one, what follows is not. After a check under a lock, the change comes when the lock is free again.
 */
import { NONE, type EventId } from '../../trace/trace.ts'
import { isRead } from '../../trace/ops.ts'
import type { Causality } from '../../causal/causality.ts'
import { noDemands, noneRuledOut } from '../propose/group.ts'
import type { ThreadGroup, ThreadProposal } from './propose.ts'

/** Of one cause. */
const MOST_TRIED = 8

/** From a group of order violations: those of a read and a write that comes later. */
export function checkThenAct(causality: Causality, group: ThreadGroup): ThreadGroup {
  const candidates = function* (): Iterable<ThreadProposal> {
    let left = MOST_TRIED
    for (const { pattern, events } of group.candidates(noneRuledOut())) {
      if (pattern !== 'premature' || left-- === 0) return
      const [write, read] = [events[0]!, events[1]!]
      const act = actAfter(causality, read)
      if (act !== NONE && !isRead(causality.trace.op[act]!)) yield proposalOf(read, write, act)
    }
  }
  return {
    kind: 'atomicity',
    get key() {
      return `check-then-act ${group.key}`
    },
    candidates,
  }
}

const proposalOf = (read: EventId, write: EventId, act: EventId): ThreadProposal => ({
  ...noDemands,
  kind: 'atomicity',
  pattern: 'check-then-act',
  own: true,
  events: [read, write, act],
  next: [act],
  include: [read, write],
  before: [[read, write]],
  runs: 0,
})

/** What the thread does next, once the locks that it held are free. */
function actAfter({ trace, task, sections }: Causality, read: EventId): EventId {
  let act = read + 1
  for (const section of sections.openBefore(read, task[read]!)) {
    const release = sections.release[section]!
    if (release === NONE) return NONE
    act = Math.max(act, release + 1)
  }
  return act < trace.taskStart[task[read]! + 1]! ? act : NONE
}
