/** Values as far as they are known. */
import type { Value } from '../trace/values.ts'

/** A value that was not observed, or that nobody can tell. */
export const UNKNOWN: unique symbol = Symbol('unknown')
export type Known = Value | typeof UNKNOWN

/** There is no value: the computation throws. */
export const THROWN: unique symbol = Symbol('thrown')
/** There is a value, but nobody can tell which: the computation does not throw. */
export const SOMETHING: unique symbol = Symbol('something')
export type Result = Known | typeof THROWN | typeof SOMETHING

/** Of a result, what is known of its value. */
export const knownOf = (result: Result): Known => (result === THROWN || result === SOMETHING ? UNKNOWN : result)

/** What a Map or Set has under a key that it does not have. */
export const ABSENT: Value = { object: 'absent' }

export const isObject = (value: Result): value is { readonly object: string } => typeof value === 'object' && value !== null

/** Are both known and the same, as Object.is has it? */
export function same(a: Result, b: Result): boolean {
  if (typeof a === 'symbol' || typeof b === 'symbol') return false
  if (isObject(a)) return isObject(b) && a.object === b.object
  return Object.is(a, b)
}
