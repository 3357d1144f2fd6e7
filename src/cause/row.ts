/** The row of a picture of two orders for one event of a thread, in the words of its program. */
import type { OrderRow } from '../schedule/order.ts'
import type { Joined } from '../trace/joined.ts'
import { FORK } from '../trace/ops.ts'
import type { EventId } from '../trace/trace.ts'

export function rowOf({ trace, steps: { stepOf }, vocabulary }: Joined, e: EventId, what: string, at = 0): OrderRow {
  const task = trace.taskOf(e)
  const name = trace.taskName(task)
  let [from, to] = [e, e + 1]
  while (from > trace.taskStart[task]! && stepOf[from - 1] === stepOf[e]) from--
  while (to < trace.taskStart[task + 1]! && stepOf[to] === stepOf[e]) to++
  const access = vocabulary.stepText(trace, from, to)
  const verb = Object.hasOwn(vocabulary.verbs, access) ? { verb: vocabulary.verbs[access]! } : {}
  const fork = trace.op.findIndex((op, k) => op === FORK && trace.target[k] === task)
  return {
    turn: { label: name, nth: stepOf[e]! },
    name,
    chain: name,
    offLoop: false,
    posted: fork < 0 ? '' : trace.siteName(fork),
    at,
    accesses: [{ access, ...verb, location: what, site: trace.siteName(e).split(' < ')[0]! }],
  }
}
