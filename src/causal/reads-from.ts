/**
 * What each read saw in the recorded run: the last write to its location before it, or NONE for the initial value. Only traces with a
 * global order have it.
 */
import { sharedInt32 } from '../base/grow.ts'
import { isRead, isWrite } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'

const KNOWN = new WeakMap<Trace, Int32Array>()

/** Worked out once for each trace, on a shared buffer. */
export function readsFrom(trace: Trace): Int32Array {
  const known = KNOWN.get(trace)
  if (known) return known
  const found = find(trace)
  KNOWN.set(trace, found)
  return found
}

/** What another thread has worked out of the same trace. */
export const takeOverReadsFrom = (trace: Trace, writer: Int32Array): void => void KNOWN.set(trace, writer)

function find(trace: Trace): Int32Array {
  const writer = sharedInt32(trace.eventCount).fill(NONE)
  if (trace.facts.order !== 'global') return writer
  const last = new Int32Array(trace.tables.locations.size).fill(NONE)
  const { op, target } = trace
  const order = trace.recordedOrder()
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const o = op[e]!
    if (isWrite(o)) last[target[e]!] = e
    else if (isRead(o)) writer[e] = last[target[e]!]!
  }
  return writer
}
