/**
 * Where the threads of a failing run depart from the recorded one: of each thread, the first read that sees another value than before. If the
 * recorded run does not have the read, the first one that sees a write of another thread. In the order of the failing run, so that what opens a path
 * comes before what happens on it.
 */
import { readsFrom } from '../causal/reads-from.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { Joined } from '../trace/joined.ts'
import { isRead } from '../trace/ops.ts'
import { shortSite } from '../trace/site.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'

/** Departures that are told. */
const MOST = 4

/** Clauses: `thread 2 to read ready = 1 (a.c:15, recorded 0)`. */
export function departuresIn({ trace: recorded }: Joined, { trace }: Joined): string[] {
  const before = readsByKey(recorded)
  const writer = readsFrom(trace)
  const left = new Set<TaskId>()
  const counts = new Map<string, number>()
  const found: string[] = []
  for (const e of trace.recordedOrder()) {
    if (!isRead(trace.op[e]!)) continue
    const task = trace.taskOf(e)
    const known = before.get(keyOf(trace, e, counts))
    const value = valueIn(trace, e)
    const isOthers = writer[e] !== NONE && trace.taskOf(writer[e]!) !== task
    const departs = known === undefined ? isOthers : known !== value
    if (left.has(task) || value === '' || known === '' || !departs) continue
    left.add(task)
    const where = [shortSite(trace.siteName(e)), known === undefined ? '' : `recorded ${known}`].filter((part) => part !== '')
    found.push(`${trace.taskName(task)} to read ${trace.targetName(e)} = ${value}${where.length === 0 ? '' : ` (${where.join(', ')})`}`)
  }
  return found.slice(0, MOST)
}

const valueIn = (trace: Trace, e: EventId): string => trace.tables.values.textOf(trace.value[e]!)

function readsByKey(trace: Trace): Map<string, string> {
  const counts = new Map<string, number>()
  const reads = new Map<string, string>()
  for (const e of trace.recordedOrder()) if (isRead(trace.op[e]!)) reads.set(keyOf(trace, e, counts), valueIn(trace, e))
  return reads
}

/** The same thread reads the same location at the same line for the n-th time. */
function keyOf(trace: Trace, e: EventId, counts: Map<string, number>): string {
  const key = `${trace.taskName(trace.taskOf(e))}\n${trace.targetName(e)}\n${lineOf(trace.siteName(e))}`
  const nth = (counts.get(key) ?? 0) + 1
  counts.set(key, nth)
  return `${key}\n${nth}`
}
