/** Words for the events of a property: what one does, where, and what it breaks. */
import { ACQUIRE, ALLOC, ANSWER, ARGUMENT, CALL, EARLIER_READ, ENTER, EXIT, FREE, RELEASE, REQUEST, RETURN, isRead } from '../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import { parseValue } from '../trace/values.ts'
import type { Declaration } from './ast.ts'
import type { Slot } from './instance.ts'

const WORDS: ReadonlyMap<number, string> = new Map([
  [CALL, 'call'],
  [RETURN, 'return'],
  [ANSWER, 'answer'],
  [ENTER, 'enter'],
  [EXIT, 'exit'],
  [REQUEST, 'request'],
  [ACQUIRE, 'lock'],
  [RELEASE, 'unlock'],
  [ALLOC, 'alloc'],
  [FREE, 'free'],
  [EARLIER_READ, 'read'],
])

/** One word, as rows of orders have it. */
export const eventWord = (trace: Trace, e: EventId): string => WORDS.get(trace.op[e]!) ?? (isRead(trace.op[e]!) ? 'read' : 'write')

/** The call chain, innermost first, joined by ` < `. */
export const eventSite = (trace: Trace, e: EventId): string => (trace.site[e] === NONE ? '' : trace.siteName(e))

/** `BoundPool:Pool:EventEmitter.query` is `BoundPool.query` to people; an emitter says what it emits. */
export function eventName(trace: Trace, e: EventId): string {
  const name = trace.targetName(e).replace(/^([^:/]+):[^./]*\./, '$1.')
  if (!name.endsWith('.emit') || trace.op[e + 1] !== ARGUMENT) return name
  return `${name} ${trace.tables.values.textOf(trace.value[e + 1]!)}`
}

/** The receiver of a call, the value of an access; empty where there is none. */
export const eventValue = (trace: Trace, e: EventId): string => trace.tables.values.textOf(trace.value[e]!)

export interface About {
  /** By parameter: the text of its value. */
  readonly binding: Readonly<Record<string, string>>
  /** Of a typestate: the operation that comes, and the state of the object that does not permit it. */
  readonly operation?: string
  readonly state?: string
}

/** Which property or typestate would be violated, with the declaration itself: a schedule can be replayed where its file is not. */
export interface PropertyNote extends About {
  readonly name: string
  readonly text: string
  readonly confirm: Declaration['confirm']
  /** It ends with `a || b`: the two can come in either order. A run that has them the other way round than the recorded one shows it. */
  readonly bothOrders?: boolean
  /** Of a typestate: in the recorded run every object was seen from its begin. */
  readonly fromBegin?: boolean
}

/** By name, the parameters that have a value. */
export function bindingTexts({ parameters }: Pick<Declaration, 'parameters'>, binding: Int32Array, trace: Trace): Record<string, string> {
  return Object.fromEntries(parameters.flatMap(({ name }, i) => (binding[i] ? [[name, trace.tables.values.textOf(binding[i])]] : [])))
}

/** The text of a value as people write it: an object without its mark, a text without its quotes. */
export function plainValue(text: string): string {
  if (text.startsWith('#')) return text.slice(1)
  const parsed = text.startsWith('"') ? parseValue(text) : text
  return typeof parsed === 'string' ? parsed : text
}

/** One sentence: the property's own, with what it is about put in, or what comes in which order. */
export function saysOf(
  { name, says, kind }: Pick<Declaration, 'name' | 'says' | 'kind'>,
  { binding, operation, state }: About,
  slots: readonly Slot[],
): string {
  if (says !== undefined) {
    // A capital at its begin, unless it begins with what it is about: that keeps its own spelling.
    const text = says.startsWith('{') ? says : says.charAt(0).toUpperCase() + says.slice(1)
    const whole = text.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => plainValue(binding[parameter] ?? parameter))
    return /[.!?]$/.test(whole) ? whole : `${whole}.`
  }
  const about = Object.values(binding).map(plainValue).join(', ')
  const steps = slots.map((slot) => slot.name)
  if (kind === 'typestate') return `${about}: ${operation ?? steps.at(-1)} while it is in state ${state ?? '?'}, which does not permit it.`
  return `${name} is violated${about === '' ? '' : ` by ${about}`}: ${steps.join(', then ')}.`
}
