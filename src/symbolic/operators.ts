/**
 * The operators of docs/branches.md, exactly as in JavaScript, on values in which objects are mere identities: what would call an object's code
 * (arithmetic, order, texts) is unknown. Nothing here throws; what would throw in the program is THROWN.
 */
import { isObject, knownOf, same, ABSENT, SOMETHING, THROWN, UNKNOWN, type Known, type Result } from './known.ts'
import { PURE, type PureFunction } from './pure.ts'
import type { Value } from '../trace/values.ts'

export type Operation = (operands: readonly Result[]) => Result

/** Longer texts, and whole numbers of more bits, are not computed: files are not trusted, and a few doublings fill the memory. */
const LONGEST_TEXT = 1 << 20
const MOST_BITS = 1 << 16

type Primitive = Exclude<Value, { readonly object: string }>
type Binary = (a: never, b: never) => Primitive

/** Operands are primitives; JavaScript's own operators do the rest. */
const ON_PRIMITIVES: Record<string, Binary> = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
  '**': (a: number, b: number) => a ** b,
  '&': (a: number, b: number) => a & b,
  '|': (a: number, b: number) => a | b,
  '^': (a: number, b: number) => a ^ b,
  '<<': (a: number, b: number) => a << b,
  '>>': (a: number, b: number) => a >> b,
  '>>>': (a: number, b: number) => a >>> b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
}

const UNARY: Record<string, (a: never) => Primitive> = {
  neg: (a: number) => -a,
  plus: (a: number) => +a,
  '~': (a: number) => ~a,
  inc: (a: number) => {
    a++
    return a
  },
  dec: (a: number) => {
    a--
    return a
  },
  // ToNumeric, which is what a++ gives.
  num: (a: number) => a++,
}

export function isTruthy(value: Value): boolean {
  return isObject(value) || Boolean(value)
}

export const isNullish = (value: Value): boolean => value === null || value === undefined

export function strictEquals(a: Value, b: Value): boolean {
  return isObject(a) || isObject(b) ? same(a, b) : a === b
}

export function looseEquals(a: Value, b: Value): Known {
  if (isObject(a) && isObject(b)) return same(a, b)
  if (!isObject(a) && !isObject(b)) return a == b // oxlint-disable-line eqeqeq
  // An object is never equal to null and undefined; anything else is compared with what the object makes of itself.
  return isNullish(a) || isNullish(b) ? false : UNKNOWN
}

/** Names of objects begin with their class (`Pool#3`), those of functions with a word of their own (`function close#4`). */
function typeOf(value: Value): Known {
  if (!isObject(value)) return value === null ? 'object' : typeof value
  if (value.object.startsWith('function ')) return 'function'
  // A proxy may stand for a function; what has no number is none of the program's objects.
  return value.object.includes('#') && !value.object.startsWith('Proxy#') ? 'object' : UNKNOWN
}

/** Runs `compute` as the program would: what it throws is THROWN, what is too large is unknown. */
function attempt(compute: () => unknown): Result {
  let value: unknown
  try {
    value = compute()
  } catch {
    return THROWN
  }
  if (typeof value === 'string' && value.length > LONGEST_TEXT) return UNKNOWN
  if (typeof value === 'symbol' || typeof value === 'function' || (typeof value === 'object' && value !== null)) return SOMETHING
  return value as Value
}

function tooLarge(operator: string, a: Value, b: Value): boolean {
  if (typeof a === 'string' || typeof b === 'string') return textLength(a) + textLength(b) > LONGEST_TEXT
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return false
  const bits = (n: bigint): number => n.toString(16).length * 4
  if (operator === '**') return b > 0n && (b > BigInt(MOST_BITS) || bits(a) * Number(b) > MOST_BITS)
  if (operator === '<<') return b > BigInt(MOST_BITS)
  if (operator === '>>') return -b > BigInt(MOST_BITS)
  return operator === '*' && bits(a) + bits(b) > MOST_BITS
}

const textLength = (value: Value): number => (typeof value === 'string' ? value.length : 0)

/** For operations that need all of their operands. */
function strict(count: number, compute: (operands: readonly Value[]) => Result): Operation {
  return (operands) => {
    if (operands.length < count) return UNKNOWN
    for (const operand of operands) if (typeof operand === 'symbol') return UNKNOWN
    return compute(operands as readonly Value[])
  }
}

function binary(operator: string, compute: Binary): Operation {
  return strict(2, ([a, b]) => {
    if (isObject(a) || isObject(b)) return UNKNOWN
    return tooLarge(operator, a, b) ? UNKNOWN : attempt(() => compute(a as never, b as never))
  })
}

const not = (value: Known): Known => (value === UNKNOWN ? UNKNOWN : !value)

const OTHERS: Record<string, Operation> = {
  '===': strict(2, ([a, b]) => strictEquals(a, b)),
  '!==': strict(2, ([a, b]) => !strictEquals(a, b)),
  '==': strict(2, ([a, b]) => looseEquals(a, b)),
  '!=': strict(2, ([a, b]) => not(looseEquals(a, b))),
  '!': strict(1, ([a]) => !isTruthy(a)),
  typeof: strict(1, ([a]) => typeOf(a)),
  instanceof: strict(2, ([a, b]) => {
    if (!isObject(b)) return THROWN
    return isObject(a) ? UNKNOWN : false
  }),
  template: strict(0, (parts) => {
    if (parts.some(isObject) || parts.reduce<number>((sum, part) => sum + textLength(part), 0) > LONGEST_TEXT) return UNKNOWN
    return attempt(() => parts.map(String).join(''))
  }),
  has: strict(1, ([a]) => !same(a, ABSENT)),
  get: strict(1, ([a]) => (same(a, ABSENT) ? undefined : a)),
  /** Of the element nothing is needed where there is none. */
  taken: (operands) => {
    const [length, element] = operands
    if (operands.length < 2 || typeof length === 'symbol') return UNKNOWN
    return length === 0 ? undefined : knownOf(element!)
  },
}

function pure(call: PureFunction): Operation {
  return strict(0, (args) => {
    if (!call.takesObjects && args.some(isObject)) return UNKNOWN
    if (call.tooLarge?.(args, LONGEST_TEXT)) return UNKNOWN
    const known = call.knows?.(args)
    return known === undefined ? attempt(() => call.run(args)) : known
  })
}

const UNHEARD_OF: Operation = () => UNKNOWN

export function operationOf(name: string): Operation {
  if (Object.hasOwn(OTHERS, name)) return OTHERS[name]!
  if (Object.hasOwn(ON_PRIMITIVES, name)) return binary(name, ON_PRIMITIVES[name]!)
  if (Object.hasOwn(UNARY, name)) {
    const compute = UNARY[name]!
    return strict(1, ([a]) => (isObject(a) ? UNKNOWN : attempt(() => compute(a as never))))
  }
  const call = name.startsWith('call ') ? PURE.get(name.slice('call '.length)) : undefined
  return call === undefined ? UNHEARD_OF : pure(call)
}
