/**
 * Arrivals: what a thread receives in its event loop, messages and ends of workers, comes in the order in which it was sent. That order is open if
 * the senders are different threads. In a trace, arrivals are in program order like everything else a thread does, so no other predictor asks about
 * them.
 */
import { BEGIN, CALL, END, JOIN, TURN_BEGIN, TURN_END, WAKE } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import { noDemands } from '../propose/group.ts'
import { grouped } from './grouped.ts'
import type { ThreadGroup } from './propose.ts'

interface Arrival {
  readonly event: EventId
  /** When this has run, the arrival can come. */
  readonly sent: EventId
  /** While this has not run, it cannot. */
  readonly held: EventId
}

/** An arrival and the next one from another sender: that one can be there first. */
export function* arrivalOrders(causality: Causality): Iterable<ThreadGroup> {
  const { trace, task } = causality
  const isMessage = Uint8Array.from([...trace.tables.signals], (name) => Number(name.startsWith('message ')))
  const pairs: (readonly [Arrival, Arrival])[] = []
  let waiting: Arrival[] = [] // of one sender, with none of another one since
  for (let e = 0; e < trace.eventCount; e++) {
    const op = trace.op[e]
    if (op !== JOIN && !(op === WAKE && isMessage[trace.target[e]!] === 1)) continue
    const arrival = op === JOIN ? endOf(causality, e) : messageOf(causality, e)
    if (!arrival) continue
    const [last] = waiting
    if (last && task[last.event] !== task[e]) waiting = []
    else if (last && task[last.sent] !== task[arrival.sent]) {
      for (const first of waiting) pairs.push([first, arrival])
      waiting = []
    }
    waiting.push(arrival)
  }
  yield* grouped(
    'message order',
    'order-violation',
    pairs,
    ([first, second]) => `${trace.site[first.event]} ${trace.site[first.held]} ${trace.site[second.sent]} ${trace.op[second.event]}`,
    function* ([first, second]) {
      yield {
        ...noDemands,
        kind: 'order-violation',
        pattern: 'message order',
        own: true,
        instead: second.event,
        events: [second.sent, first.event, first.held],
        next: [first.event],
        include: [second.sent],
        without: [first.held],
      }
    },
  )
}

function messageOf(causality: Causality, event: EventId): Arrival | undefined {
  const sent = causality.onlyNotify(event)
  return sent === NONE ? undefined : { event, sent, held: sent }
}

/** A worker cannot be held at its end, but before its last step. */
function endOf({ trace }: Causality, event: EventId): Arrival | undefined {
  const worker = trace.target[event]!
  const [from, to] = [trace.taskStart[worker]!, trace.taskStart[worker + 1]!]
  for (let held = to - 1; held >= from; held--) {
    const op = trace.op[held]!
    if (op === BEGIN) return undefined
    if (op !== END && op !== TURN_END && op !== TURN_BEGIN && op !== CALL) return { event, sent: to - 1, held }
  }
  return undefined
}
