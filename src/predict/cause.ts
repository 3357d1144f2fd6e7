/** The name of a cause: kind, what it is about, and the source places, so that the same bug has the same name in another trace of the program. */
import { OPS } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { Proposal } from './propose/group.ts'

export function causeOf(trace: Trace, candidate: Proposal): string {
  const { kind, pattern, events } = candidate
  const place = (e: EventId): string => `${OPS[trace.op[e]!]!.text}@${trace.siteName(e)}`
  const location = trace.targetName(events[0]!)
  switch (kind) {
    case 'data-race': // which of the two came first in the recorded run does not matter
      return [kind, location, ...events.map(place).sort()].join(' ')
    case 'atomicity':
      return [kind, pattern, location, ...events.map(place), 'in', candidate.region ?? ''].join(' ')
    case 'order-violation':
      return [kind, pattern, location, ...events.map(place)].join(' ')
    case 'deadlock':
      if (pattern !== 'cycle') return [pattern, trace.targetName(candidate.next[0]!), place(candidate.next[0]!)].join(' ')
      return [kind, ...events.map((e) => `${trace.targetName(e)} ${place(e)}`).sort()].join(' ')
  }
}
