/** Calls of native functions, without tags: those that compute may throw, and some call back. */
import { isNative, type AnyFunction } from './carry.ts'
import type { Carried } from './carried.ts'
import { PURE } from './pure.ts'

const { apply } = Reflect

const functionCall: unknown = Function.prototype.call
const functionApply: unknown = Function.prototype.apply
const reflectApply: unknown = Reflect.apply
const KEYED = new Set<unknown>(
  [Map.prototype, WeakMap.prototype, Set.prototype, WeakSet.prototype].flatMap((prototype) =>
    ['get', 'has', 'set', 'add', 'delete'].map((name) => (prototype as unknown as Record<string, unknown>)[name]),
  ),
)
KEYED.delete(undefined)

type NativeCall = (callee: AnyFunction, self: unknown, args: unknown[], site: number) => unknown

export function nativeCalls({ first, told, T }: Carried): NativeCall {
  /** Calls of native functions. */
  function call(callee: AnyFunction, self: unknown, args: unknown[], site: number): unknown {
    const pure = PURE.get(callee)
    let result: unknown
    if (pure !== undefined) result = compute(callee, self, args, site, pure.mayThrow)
    else if (callee === functionCall && typeof self === 'function') result = callAny(self as AnyFunction, args[0], args.slice(1), site)
    else if (callee === functionApply && typeof self === 'function') result = handOn(callee, self, self as AnyFunction, args, 0, site)
    else if (callee === reflectApply && typeof args[0] === 'function') result = handOn(callee, self, args[0] as AnyFunction, args, 1, site)
    else {
      if (KEYED.has(callee)) told.index(first + site, args[0])
      result = apply(callee, self, args)
    }
    T.t = 1
    return result
  }

  function callAny(callee: AnyFunction, self: unknown, args: unknown[], site: number): unknown {
    return isNative(callee) ? call(callee, self, args, site) : apply(callee, self, args)
  }

  function handOn(as: AnyFunction, self: unknown, callee: AnyFunction, args: unknown[], from: number, site: number): unknown {
    const list = args[from + 1]
    if (PURE.has(callee) && (list === undefined || list === null || Array.isArray(list)))
      return callAny(callee, args[from], Array.from((list as unknown[] | undefined) ?? []), site)
    return apply(as, self, args)
  }

  function compute(callee: AnyFunction, self: unknown, args: unknown[], site: number, mayThrow: boolean): unknown {
    try {
      const result: unknown = apply(callee, self, args)
      if (mayThrow) told.branch(first + site, 'throws', false, 0)
      return result
    } catch (error) {
      if (mayThrow) told.branch(first + site, 'throws', true, 0)
      throw error
    }
  }

  return call
}
