/**
 * The `symbolic` model (docs/model.md): if the inputs of every condition and every write are known, a read that flows into none of them is free,
 * whatever follows it in its task. So is one that flows only into writes to locations that nobody reads, or that are read only by free reads: what
 * they write may be another value than recorded, without any effect.
 */
import { NO_NODE } from '../symbolic/expressions.ts'
import { InputSets } from '../symbolic/input-sets.ts'
import type { SymbolicTrace } from '../symbolic/symbolic-trace.ts'
import { BRANCH, isRead, isWrite } from '../trace/ops.ts'
import type { EventId } from '../trace/trace.ts'

/** By event: 1 for the reads that are free. */
export function freeReads({ trace, expressions, of }: SymbolicTrace): Uint8Array {
  const inputs = new InputSets(expressions)
  const free = new Uint8Array(trace.eventCount)
  const writes: EventId[][] = Array.from({ length: trace.tables.locations.size }, () => [])
  for (let e = 0; e < trace.eventCount; e++) {
    if (isRead(trace.op[e]!)) free[e] = 1
    else if (isWrite(trace.op[e]!) && of[e] !== NO_NODE) writes[trace.target[e]!]!.push(e)
  }
  /** Locations that somebody reads who is not free: their writes keep their values. */
  const kept = new Uint8Array(trace.tables.locations.size)
  const todo: number[] = []
  const bind = (node: number): void => {
    for (const read of inputs.of(node)) {
      if (free[read] === 0) continue
      free[read] = 0
      const x = trace.target[read]!
      if (kept[x] === 1) continue
      kept[x] = 1
      todo.push(x)
    }
  }
  for (let e = 0; e < trace.eventCount; e++) if (trace.op[e] === BRANCH && of[e] !== NO_NODE) bind(of[e]!)
  for (let x = todo.pop(); x !== undefined; x = todo.pop()) for (const w of writes[x]!) bind(of[w]!)
  return free
}
