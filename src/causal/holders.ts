/** Which section made a try fail: for every failed try of the recorded run, a section of another task that was open then. */
import { isAcquire, isRelease, isTry, TRY_SHARED_FAILED } from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import type { Sections } from './sections.ts'

/** Only of traces with a global order, in which every such try has one (src/trace/validate.ts). */
export function recordedHolders(trace: Trace, sections: Sections): Map<EventId, number> {
  const holders = new Map<EventId, number>()
  const open = new Map<number, number[]>() // per lock
  for (const e of trace.recordedOrder()) {
    const op = trace.op[e]!
    if (isTry(op)) {
      const task = trace.taskOf(e)
      const holder = open.get(trace.target[e]!)?.find((s) => sections.keepsOut(s, task, op === TRY_SHARED_FAILED))
      if (holder !== undefined) holders.set(e, holder)
    } else if (isAcquire(op)) {
      const section = sections.opening(e)
      const others = open.get(trace.target[e]!)
      if (section === NONE) continue
      if (others) others.push(section)
      else open.set(trace.target[e]!, [section])
    } else if (isRelease(op)) {
      const others = open.get(trace.target[e]!)
      const at = others?.findIndex((s) => sections.release[s] === e) ?? NONE
      if (at >= 0) others!.splice(at, 1)
    }
  }
  return holders
}
