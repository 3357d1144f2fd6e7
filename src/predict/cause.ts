/** The fingerprint of a cause: kind, location and sites, so that the same bug has the same fingerprint in another trace of the program. */
import { OPS } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { Proposal } from './propose/group.ts'

type Named = Pick<Proposal, 'kind' | 'pattern' | 'events' | 'next' | 'region' | 'property'>

export function causeOf(trace: Trace, candidate: Named): string {
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
    case 'property':
    case 'typestate':
      return [kind, pattern, bound(trace, candidate), ...events.map((e) => `${withoutNumbers(trace.targetName(e))} ${place(e)}`)].join(' ')
  }
}

/** Objects have numbers, which another run gives anew. Where there are no source places to tell one bug from another they must do. */
function bound(trace: Trace, { property, events }: Named): string {
  const texts = Object.entries(property?.binding ?? {}).map(([name, value]) => `${name}=${value}`)
  const known = events.every((e) => trace.siteName(e) !== '')
  return `(${texts.map((text) => (known ? withoutNumbers(text) : text)).join(', ')})`
}

const withoutNumbers = (text: string): string => text.replace(/#\d+/g, '')
