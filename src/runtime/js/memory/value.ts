/** Values of writes: primitives as they are (long strings cut), objects by their number. Keeps no object alive. */
import type { Values } from '../../../trace/values.ts'
import { objectName } from './names.ts'
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

/** The codes of objects, by their numbers: so that a name is made once. */
const objectCodes: number[] = []

/** The code of a value at hand, with objects under the name that their fields have in locations. Symbols have none. */
export function valueCode(values: Values, value: unknown): number {
  if (typeof value === 'string') return values.codeOf(value.length > LONGEST ? value.slice(0, LONGEST) : value)
  if (typeof value === 'symbol') return 0
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return values.codeOf(value as number)
  return (objectCodes[numberOf(value)] ??= values.codeOf({ object: objectName(value) }))
}
