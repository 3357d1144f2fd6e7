/** Traces of threads drawn as text, with the stamps and steps that the recorder gives them. */
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_READ,
  CALL,
  NOTIFY,
  NOTIFY_ALL,
  RELEASE,
  RELEASE_SHARED,
  TURN_BEGIN,
  TURN_END,
  UPDATE,
} from '../../src/trace/ops.ts'
import { parseText } from '../../src/trace/text.ts'
import { Trace } from '../../src/trace/trace.ts'

export interface Drawn {
  readonly trace: Trace
  readonly stepOf: Int32Array
}

/** An event that goes on with the step of the one before. */
function goesOn({ op, target, tables }: Trace, e: number): boolean {
  const before = op[e - 1]!
  const waiters = (lock: number): boolean => tables.locks.at(lock).startsWith('waiters of ')
  if (before === TURN_END || before === TURN_BEGIN || before === CALL) return true
  if (op[e] === UPDATE) return true
  if (before === ACQUIRE_SHARED) return true
  if (before === ATOMIC_READ && op[e] === RELEASE_SHARED) return tables.names.find(`late ${tables.locks.at(target[e]!)}`) < 0
  if (before === ACQUIRE && waiters(target[e - 1]!)) return true
  return (before === NOTIFY || before === NOTIFY_ALL) && (op[e] === RELEASE || op[e] === NOTIFY)
}

export function drawn(text: string): Drawn {
  const plain = parseText(text)
  const stamp = plain.stamp.slice()
  const stepOf = new Int32Array(stamp.length)
  for (let t = 0; t < plain.taskCount; t++) {
    let step = 0
    for (let e = plain.taskStart[t]!; e < plain.taskStart[t + 1]!; e++) {
      if (e > plain.taskStart[t]! && goesOn(plain, e)) stamp[e] = stamp[e - 1]!
      else step++
      stepOf[e] = step
    }
  }
  const { taskStart, op, target, value, site, tables, facts } = plain
  return { trace: new Trace({ taskStart, op, target, value, site, stamp }, tables, facts), stepOf }
}
