/** Operands of client calls: where the declaration says they are, and as text for the trace. None of this runs code of the program. */
import { types } from 'node:util'
import type { Path } from '../../../clients/client.ts'

/** Longer ones are cut. What tells rows and keys apart is short; statements are as long as people write them. */
const MOST_OF_TEXT = 4000
const MOST_OF_VALUE = 100
const MOST_VALUES = 64
const DEEPEST = 4

/** Of an object, without asking a getter of the program; those of Node itself are asked (`sourceSQL` of node:sqlite). A class may have one that only gives a field: methods of prototypes are not looked at. */
function fieldOf(owner: unknown, step: string | number): unknown {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null || types.isProxy(owner)) return undefined
  if (typeof step === 'number')
    return Array.isArray(owner) ? (owner as unknown[]).at(step) : Object.getOwnPropertyDescriptor(owner, step)?.value
  for (let at: object | null = owner; at !== null && !types.isProxy(at); at = Object.getPrototypeOf(at) as object | null) {
    const property = Object.getOwnPropertyDescriptor(at, step)
    if (property !== undefined) return property.get === undefined ? (property.value as unknown) : asked(property.get, owner)
  }
  return undefined
}

function asked(get: () => unknown, owner: object): unknown {
  const isNodes = !get.name.startsWith('bound ') && Function.prototype.toString.call(get).endsWith('{ [native code] }')
  try {
    return isNodes ? Reflect.apply(get, owner, []) : undefined
  } catch {
    // A statement that was closed.
    return undefined
  }
}

/** The object that has the last step of a path, and that step. Undefined where the path leads nowhere. */
export function holderOf(
  { from, steps }: Path,
  receiver: unknown,
  args: unknown[],
): { readonly owner: object; readonly step: string | number } | undefined {
  let owner: unknown = from === 'this' ? receiver : args
  for (const step of steps.slice(0, -1)) owner = fieldOf(owner, step)
  const step = steps.at(-1)
  if (step === undefined || typeof owner !== 'object' || owner === null) return undefined
  return { owner, step: step === -1 && Array.isArray(owner) ? owner.length - 1 : step }
}

export const valueAt = ({ from, steps }: Path, receiver: unknown, args: unknown[]): unknown =>
  valueIn(steps, from === 'this' ? receiver : args)

export function valueIn(steps: Path['steps'], at: unknown): unknown {
  for (const step of steps) at = fieldOf(at, step)
  return at
}

/** What stands there in an answer. Of a row with one field: that field. */
export function resultAt(steps: Path['steps'], answer: unknown): unknown {
  let at = answer
  for (const step of steps) at = fieldOf(at, step)
  if (steps.length === 0 || typeof at !== 'object' || at === null || types.isProxy(at) || at instanceof Uint8Array) return at
  const fields = Object.keys(at)
  return fields.length === 1 ? fieldOf(at, Array.isArray(at) ? 0 : fields[0]!) : undefined
}

/** The first of these that is there: text, lists and documents; no functions. `isText`: the first text, or what is there if there is none. */
export function operandAt(paths: readonly (Path | string)[], receiver: unknown, args: unknown[], isText = false): unknown {
  let other: unknown
  for (const path of paths) {
    const value = typeof path === 'string' ? path : valueAt(path, receiver, args)
    if (value === undefined || value === null || typeof value === 'function') continue
    if (!isText || typeof value === 'string') return value
    other ??= value
  }
  return other
}

/** JSON of plain data. Bytes are written as text where they are text, dates as ISO; what is neither is left out. */
export const textOf = (operand: unknown): string => JSON.stringify(plain(operand, 0, MOST_OF_TEXT)) ?? 'null'

function plain(value: unknown, depth: number, longest: number): unknown {
  if (typeof value === 'string') return value.length > longest ? value.slice(0, longest) : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || types.isProxy(value)) return null
  if (value instanceof Uint8Array) return Buffer.from(value.subarray(0, longest)).toString('utf8')
  if (types.isDate(value)) return Number.isNaN(Date.prototype.getTime.call(value)) ? null : Date.prototype.toISOString.call(value)
  if (depth === DEEPEST) return null
  if (Array.isArray(value)) return value.slice(0, MOST_VALUES).map((one) => plain(one, depth + 1, depth === 0 ? longest : MOST_OF_VALUE))
  const id = hexOf(value)
  if (id !== undefined) return id
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value).slice(0, MOST_VALUES)) {
    const field: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
    if (field !== undefined && typeof field !== 'function') out[key] = plain(field, depth + 1, MOST_OF_VALUE)
  }
  return out
}

/** Identities that are objects with twelve bytes somewhere inside, as MongoDB has them: by their bytes. */
function hexOf(value: object): string | undefined {
  if (fieldOf(value, '_bsontype') !== 'ObjectId') return undefined
  for (const key of Reflect.ownKeys(value)) {
    const bytes: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
    if (bytes instanceof Uint8Array && bytes.length === 12) return Buffer.from(bytes).toString('hex')
  }
  return undefined
}
