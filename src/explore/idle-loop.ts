/**
 * Does the event loop beside the threads only receive their messages? It does if no two of its turns access the same location, all turns are messages
 * of one other thread, which come in the order in which they were sent, and that thread does everything in one turn. With two threads the order of
 * their messages may matter, also if nothing in memory shows it (Promise.race).
 */
import { LoopView } from '../causal/loop/turns.ts'
import { Proposals } from '../predict/loop/propose.ts'
import { TURN_BEGIN } from '../trace/ops.ts'
import type { Trace } from '../trace/trace.ts'

export function isIdle(loop: Trace, threads: Trace): boolean {
  const view = new LoopView(loop)
  if (threads.taskCount > 2 || new Proposals(view).pairs > 0) return false
  for (let turn = 1; turn < view.turnCount; turn++) if (!view.queueOf(view.turnOp[turn]!).startsWith('message')) return false
  let turns = 0
  for (let e = threads.taskStart[1]!; e < threads.taskStart[2]!; e++) if (threads.op[e] === TURN_BEGIN) turns++
  return turns <= 1
}
