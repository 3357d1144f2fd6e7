/**
 * Does every read of the recorded run see what was last written? In traces that were joined from the files of several threads it may not: when a
 * thread was terminated, its last steps are lost, and others have seen them.
 */
import { isRead, isWrite } from './ops.ts'
import { NONE, type EventId, type Trace } from './trace.ts'
import { NOT_OBSERVED } from './values.ts'

export interface Contradiction {
  readonly event: EventId
  readonly sentence: string
}

/** The first contradiction, as a sentence. */
export function checkValues(trace: Trace): string | undefined {
  return firstContradiction(trace)?.sentence
}

export function firstContradiction(trace: Trace): Contradiction | undefined {
  const { op, target, value } = trace
  const order = trace.recordedOrder()
  /** What is there now, as far as it is known, and the write that left it there. */
  const current = new Int32Array(trace.tables.locations.size).fill(NOT_OBSERVED)
  const writer = new Int32Array(trace.tables.locations.size).fill(NONE)
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const o = op[e]!
    if (isWrite(o)) {
      current[target[e]!] = value[e]!
      writer[target[e]!] = e
    } else if (isRead(o) && value[e] !== NOT_OBSERVED) {
      const x = target[e]!
      if (current[x] === NOT_OBSERVED) current[x] = value[e]!
      else if (current[x] !== value[e]) return { event: e, sentence: sentence(trace, e, current[x]!, writer[x]!) }
    }
  }
  return undefined
}

function sentence(trace: Trace, e: EventId, there: number, writer: EventId): string {
  const { values } = trace.tables
  const by =
    writer === NONE ? 'what was there before any write' : `what ${trace.taskName(trace.taskOf(writer))} wrote at ${trace.stamp[writer]}`
  return (
    `${trace.taskName(trace.taskOf(e))} read ${values.textOf(trace.value[e]!)} in ${trace.targetName(e)} at ${trace.stamp[e]}, ` +
    `but ${by} is ${values.textOf(there)}`
  )
}
