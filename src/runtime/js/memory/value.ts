/** Values of writes: primitives as they are (long strings cut), objects by their number. Keeps no object alive. */
import type { Values } from '../../../trace/values.ts'
import { numberOf } from './shadow.ts'

const LONGEST = 200

/** A value as it is kept: a symbol stands for an unknown value, a boxed number for an object. */
export type Kept = string | number | bigint | boolean | null | undefined | symbol | ObjectNumber

class ObjectNumber {
  constructor(readonly number: number) {}
}

export const UNKNOWN = Symbol('unknown')

export function keptOf(value: unknown): Kept {
  switch (typeof value) {
    case 'object':
      return value === null ? null : new ObjectNumber(numberOf(value))
    case 'function':
      return new ObjectNumber(numberOf(value))
    case 'string':
      // A cut string would keep the whole alive.
      return value.length > LONGEST ? Buffer.from(value.slice(0, LONGEST)).toString() : value
    case 'symbol':
      return UNKNOWN
    default:
      return value as Kept
  }
}

export function codeOf(values: Values, kept: Kept): number {
  if (typeof kept === 'symbol') return 0
  if (kept instanceof ObjectNumber) return values.codeOf({ object: String(kept.number) })
  return values.codeOf(kept)
}
