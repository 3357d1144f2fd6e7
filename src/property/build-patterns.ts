/** Patterns in TypeScript: `sequence(e.create, star(e.next), plus(e.update), e.next)`, where `e` has the events that were declared. */
import type { Pattern } from './ast.ts'

type Region = `<${string}` | `>${string}`

/** An event as it is, or called with its attributes: `e.act('t1')`, `e.begin('t1', '<r1')`, `e.begin('<r1')`. */
export interface EventRef {
  (task: string, region?: Region): Pattern
  readonly pattern: Pattern
}

export type Part = Pattern | EventRef

export function eventRef(name: string): EventRef {
  const attributed = (first: string, second?: Region): Pattern => {
    const isRegion = first.startsWith('<') || first.startsWith('>')
    const [task, text] = isRegion ? [undefined, first] : [first, second]
    const region =
      text === undefined ? undefined : { edge: text.startsWith('<') ? ('begin' as const) : ('end' as const), name: text.slice(1) }
    return { kind: 'event', name, ...(task === undefined ? {} : { task }), ...(region ? { region } : {}) }
  }
  return Object.assign(attributed, { pattern: { kind: 'event', name } as const })
}

export const patternOf = (part: Part): Pattern => (typeof part === 'function' ? part.pattern : part)

const several =
  (kind: 'sequence' | 'choice' | 'both') =>
  (...parts: readonly [Part, ...Part[]]): Pattern =>
    parts.length === 1 ? patternOf(parts[0]) : { kind, parts: parts.map(patternOf) }

/** One after the other: `a b`. */
export const sequence = several('sequence')
/** `a | b`. */
export const either = several('choice')
/** In any order: `a & b`. */
export const both = several('both')

const repeat =
  (how: '?' | '*' | '+') =>
  (inner: Part): Pattern => ({ kind: 'repeat', how, inner: patternOf(inner) })

export const optional = repeat('?')
export const star = repeat('*')
export const plus = repeat('+')
/** `!a`. */
export const never = (inner: Part): Pattern => ({ kind: 'not', inner: patternOf(inner) })
/** `a || b`. */
export const atOnce = (left: Part, right: Part): Pattern => ({ kind: 'parallel', left: patternOf(left), right: patternOf(right) })
