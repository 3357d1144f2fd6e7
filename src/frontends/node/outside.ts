/** Could two runs of the program at the same time affect each other? */
import { EARLIER_WRITE, POST, WRITE } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Own } from '../contract.ts'

/** Writes to files, directories and ports are seen by other runs, and what child processes do is not known. Servers that requests go to are shared. */
export function meetsOthers(trace: Trace, own: Own): boolean {
  const { op, target, tables } = trace
  const places = Uint8Array.from([...tables.locations], (name) => Number(isShared(name, own)))
  const handles = Uint8Array.from([...tables.queues], (name) =>
    Number(/^request\b/.test(name) || (!own.network && /^(child|connect|server)\b/.test(name))),
  )
  const children = Uint8Array.from([...tables.queues], (name) => Number(!own.files && /^child\b/.test(name)))
  for (let e = 0; e < op.length; e++) {
    const at = target[e]!
    if ((op[e] === WRITE || op[e] === EARLIER_WRITE) && places[at] === 1) return true
    if (op[e] === POST && (handles[at] === 1 || children[at] === 1)) return true
  }
  return false
}

function isShared(location: string, own: Own): boolean {
  const [, kind, path] = /^(file|dir|port):(.*)$/s.exec(location) ?? []
  return kind === 'port' ? !own.network : kind !== undefined && !own.covers(path!)
}
