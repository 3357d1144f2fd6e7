/** What reads see in another order, so that a drawing does not show an impossible value. */
import { nameText, valueNotation } from '../trace/notation.ts'
import { OPS, isRead, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'

/** Texts for the reads of `order` that see another value than they were recorded with; `?` where it is not known, and for `open` ones. */
export function seenInstead(trace: Trace, order: ArrayLike<EventId>, open: readonly EventId[] = []): Map<EventId, string> {
  const texts = new Map<EventId, string>()
  if (trace.facts.order !== 'global') return texts
  const say = (read: EventId, value: string): void => {
    texts.set(read, `${OPS[trace.op[read]!]!.text}(${nameText(trace.targetName(read))})=${value === '' ? '?' : valueNotation(value)}`)
  }
  const unwritten: EventId[] = []
  const lastWrite = new Map<number, EventId>()
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const location = trace.target[e]!
    if (isWrite(trace.op[e]!)) lastWrite.set(location, e)
    if (!isRead(trace.op[e]!) || trace.value[e] === NOT_OBSERVED) continue
    const write = lastWrite.get(location) ?? NONE
    if (open.includes(e)) say(e, '')
    else if (write === NONE) unwritten.push(e)
    else if (trace.value[write] !== trace.value[e]) say(e, trace.tables.values.textOf(trace.value[write]!))
  }
  for (const read of unwritten) if (sawAWrite(trace, read)) say(read, '')
  return texts
}

/** In the recorded run. */
function sawAWrite(trace: Trace, read: EventId): boolean {
  for (const e of trace.recordedOrder()) {
    if (e === read) return false
    if (isWrite(trace.op[e]!) && trace.target[e] === trace.target[read]) return true
  }
  return false
}
