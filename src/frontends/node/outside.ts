/** Could two runs of the program at the same time get into each other's way? */
import { EARLIER_WRITE, POST, WRITE } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'

/** Writes to files, directories and ports are seen by other runs, and what child processes do is not known. */
export function reachesOutside(trace: Trace): boolean {
  const { op, target } = trace
  const outside = Uint8Array.from([...trace.tables.locations], (name) => Number(/^(file|dir|port):/.test(name)))
  const handles = Uint8Array.from([...trace.tables.queues], (name) => Number(/^(child|connect|server)\b/.test(name)))
  for (let e = 0; e < op.length; e++) {
    if ((op[e] === WRITE || op[e] === EARLIER_WRITE) && outside[target[e]!] === 1) return true
    if (op[e] === POST && handles[target[e]!] === 1) return true
  }
  return false
}
