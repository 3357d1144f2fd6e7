/**
 * Carries out operations of instrumented code exactly as the program's own code would: with the engine's errors, and without further effects. Errors
 * that have to be made here use the names of the source and show the program's stack.
 */
import { types } from 'node:util'
import { isObject } from '../../../base/objects.ts'

export type AnyFunction = (...args: unknown[]) => unknown

/* oxlint-disable eqeqeq */
export function binaryOf(operator: string, a: never, b: never): unknown {
  switch (operator) {
    case '===':
      return a === b
    case '!==':
      return a !== b
    case '+':
      return (a as number) + (b as number)
    case '-':
      return (a as number) - (b as number)
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    case '>=':
      return a >= b
    case '*':
      return (a as number) * (b as number)
    case '/':
      return (a as number) / (b as number)
    case '%':
      return (a as number) % (b as number)
    case '==':
      return a == b
    case '!=':
      return a != b
    case '|':
      return (a as number) | (b as number)
    case '&':
      return (a as number) & (b as number)
    case '^':
      return (a as number) ^ (b as number)
    case '<<':
      return (a as number) << (b as number)
    case '>>':
      return (a as number) >> (b as number)
    case '>>>':
      return (a as number) >>> (b as number)
    case '**':
      return (a as number) ** (b as number)
    case 'instanceof':
      return (a as object) instanceof (b as AnyFunction)
    default:
      throw new Error(`unknown operator ${operator}`)
  }
}
/* oxlint-enable eqeqeq */

export function unaryOf(operator: string, a: never): unknown {
  switch (operator) {
    case '!':
      return !a
    case '-':
      return -a
    case '+':
      return +a
    case '~':
      return ~a
    case 'typeof':
      return typeof a
    default:
      throw new Error(`unknown operator ${operator}`)
  }
}

/** ToNumeric. */
export function numeric(a: unknown): number | bigint {
  if (typeof a === 'number' || typeof a === 'bigint') return a
  let value = a as number
  return value++
}

export const added = (value: number | bigint, add: 1 | -1): number | bigint => {
  if (typeof value === 'number') return value + add
  return value + (add === 1 ? 1n : -1n)
}

export function joined(strings: readonly string[], values: readonly unknown[]): string {
  let text = strings[0]!
  for (let i = 1; i < strings.length; i++) text += `${values[2 * (i - 1)] as string}${strings[i]!}`
  return text
}

/** `base[key]`; the engine's error is made to begin where the program asked for it. */
export function get(key: unknown, from: unknown, asked: AnyFunction): unknown {
  if (from === null || from === undefined) {
    try {
      return (from as unknown as Record<PropertyKey, unknown>)[key as string]
    } catch (error) {
      throw cutBack(error, asked)
    }
  }
  return (from as Record<PropertyKey, unknown>)[key as string]
}

export function set(base: unknown, key: unknown, value: unknown, strict: 0 | 1, asked: AnyFunction): void {
  if (base === null || base === undefined) {
    try {
      ;(base as unknown as Record<PropertyKey, unknown>)[key as string] = value
    } catch (error) {
      throw cutBack(error, asked)
    }
  }
  if (strict === 1) (base as Record<PropertyKey, unknown>)[key as string] = value
  else if (isObject(base)) Reflect.set(base, key as string, value, base)
  else Reflect.set(Object(base) as object, key as string, value, base)
}

export function remove(base: unknown, key: unknown, strict: 0 | 1): boolean {
  if (strict === 1 || !isObject(base)) return delete (base as Record<PropertyKey, unknown>)[key as string]
  return Reflect.deleteProperty(base, key as string)
}

/** The stack of a new error begins where the program asked for it. Errors whose class has other ideas are left alone. */
export function cutBack(error: unknown, asked: AnyFunction): unknown {
  if (types.isNativeError(error) && Object.getOwnPropertyDescriptor(error, 'stack')?.configurable === true)
    Error.captureStackTrace(error, asked)
  return error
}

export function notAFunction(text: string, asked: AnyFunction): TypeError {
  return cutBack(new TypeError(`${text} is not a function`), asked) as TypeError
}

const constructors = new WeakMap<AnyFunction, boolean>()
const makesNothing = { construct: (): object => ({}) }

/** May it be called with `new`? Asks without calling it. */
export function isConstructor(callee: unknown): callee is AnyFunction {
  if (typeof callee !== 'function') return false
  const known = constructors.get(callee as AnyFunction)
  if (known !== undefined) return known
  let may = true
  try {
    new (new Proxy(callee, makesNothing) as unknown as new () => object)()
  } catch {
    may = false
  }
  constructors.set(callee as AnyFunction, may)
  return may
}

export function notAConstructor(text: string, asked: AnyFunction): TypeError {
  return cutBack(new TypeError(`${text} is not a constructor`), asked) as TypeError
}

const functionText = Function.prototype.toString
const natives = new WeakMap<AnyFunction, boolean>()

/** Native, bound, or a proxy: never instrumented itself. */
export function isNative(callee: AnyFunction): boolean {
  let known = natives.get(callee)
  if (known === undefined) natives.set(callee, (known = (Reflect.apply(functionText, callee, []) as string).endsWith('{ [native code] }')))
  return known
}

/** Called as native functions are, whatever it is made of. */
export const asNative = (callee: AnyFunction): void => void natives.set(callee, true)
