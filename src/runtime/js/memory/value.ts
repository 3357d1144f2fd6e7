/** Values of writes: primitives as they are (long strings cut), objects by their number. */
import type { Values } from '../../../trace/values.ts'
import { objectName } from './names.ts'
import { numberOf } from './shadow.ts'

const LONGEST = 200

/** Stands for a value that is not known. */
export const UNKNOWN = Symbol('unknown')

/** The codes of objects, by their numbers: so that a name is made once. */
const objectCodes: number[] = []

/** The code of a value at hand, with objects under the name that their fields have in locations. Symbols have none. */
export function valueCode(values: Values, value: unknown): number {
  if (typeof value === 'string') return values.codeOf(value.length > LONGEST ? value.slice(0, LONGEST) : value)
  if (typeof value === 'symbol') return 0
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return values.codeOf(value as number)
  return (objectCodes[numberOf(value)] ??= values.codeOf({ object: objectName(value) }))
}
