/** Calls of functions and methods, and `new`, without tags. */
import { types } from 'node:util'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { isBuiltin } from './builtins.ts'
import { cutBack, get, isConstructor, isNative, notAConstructor, notAFunction, type AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { nativeCalls } from './carry-native.ts'
import type { Carried } from './carried.ts'
import { NOBODY, OF_ROUND } from './told.ts'
import { noteMethod } from './usual.ts'

const { apply } = Reflect

class Method {
  constructor(
    readonly base: unknown,
    readonly key: unknown,
    readonly callee: unknown,
  ) {}
}
/** In place of the key, where the program has read the method itself. */
const READ_BEFORE = Symbol('read before')

export function carryCalls(carried: Carried): Pick<PathHooks, 'C' | 'M' | 'F' | 'Fv' | 'Mf' | 'W' | 'E' | 'A' | 'Ap' | 'R' | 'Z'> {
  const { inner, first, told, T } = carried
  const call = nativeCalls(carried)

  function methodOf(base: unknown, tb: number, key: unknown, tk: number, site: number, asked: AnyFunction): unknown {
    carried.decide(base, tb, key, tk, site)
    const callee = get(key, base, asked)
    if (told !== NOBODY && isObject(base) && !isBuiltin(base)) {
      if (typeof callee !== 'function' || (!types.isProxy(base) && Object.hasOwn(base, key as string)))
        told.receiver(first + site, callee, 'callee')
    }
    T.t = 1
    return callee
  }

  /** A method is called next. Is it one of the program's? */
  function isOwn(site: number, text: string, base: unknown, key: unknown, callee: unknown, args: unknown[], asked: AnyFunction): boolean {
    for (let i = 0; i < args.length; i++) told.see(args[i])
    if (typeof callee !== 'function') throw notAFunction(text, asked)
    if (key !== READ_BEFORE) {
      if (base === Atomics) return false
      noteMethod(inner, base, key, args, site)
    }
    carried.lastReturned = undefined
    return !isNative(callee as AnyFunction)
  }

  const F = (base: unknown, tb: number, key: unknown, tk: number, site: number): Method =>
    new Method(base, key, methodOf(base, tb, key, tk, site, F as unknown as AnyFunction))

  function Mf(site: number, text: string, found: object, args: unknown[]): unknown {
    const { base, key, callee } = found as Method
    if (isOwn(site, text, base, key, callee, args, Mf as AnyFunction)) return carried.gave(apply(callee as AnyFunction, base, args))
    return key !== READ_BEFORE && base === Atomics ? atomics(key, args, site) : call(callee as AnyFunction, base, args, site)
  }

  function M(site: number, text: string, base: unknown, tb: number, key: unknown, tk: number, args: unknown[]): unknown {
    const callee = methodOf(base, tb, key, tk, site, M as AnyFunction)
    if (isOwn(site, text, base, key, callee, args, M as AnyFunction)) return carried.gave(apply(callee as AnyFunction, base, args))
    return base === Atomics ? atomics(key, args, site) : call(callee as AnyFunction, base, args, site)
  }

  function atomics(key: unknown, args: unknown[], site: number): unknown {
    const knows = inner.at(Atomics as object, site) as Record<string, AnyFunction>
    let value: unknown
    const again = told.element(() => (value = apply(knows[key as string]!, knows, args)))
    T.t = again ? 1 | OF_ROUND : 1
    return value
  }

  function C(site: number, text: string, callee: unknown, tc: number, args: unknown[]): unknown {
    if (tc !== 0) told.receiver(first + site, callee, 'receiver')
    for (let i = 0; i < args.length; i++) told.see(args[i])
    if (typeof callee !== 'function') throw notAFunction(text, C as AnyFunction)
    carried.lastReturned = undefined
    if (isNative(callee as AnyFunction)) return call(callee as AnyFunction, undefined, args, site)
    return carried.gave(apply(callee as AnyFunction, undefined, args))
  }

  function W(site: number, text: string, callee: unknown, tc: number, args: unknown[]): unknown {
    if (tc !== 0) told.receiver(first + site, callee, 'receiver')
    for (const arg of args) told.see(arg)
    if (!isConstructor(callee)) throw notAConstructor(text, W as AnyFunction)
    const result = cutBack(Reflect.construct(callee, args), W as AnyFunction)
    told.see(result)
    T.t = 1
    return result
  }

  return {
    C,
    M,
    F,
    Fv: (base, _tb, callee) => new Method(base, READ_BEFORE, callee),
    Mf,
    W,
    E: () => undefined,
    A: () => 1,
    Ap: () => 1,
    R(_frame, value, tag) {
      T.t = tag
      if ((tag & OF_ROUND) !== 0) carried.lastReturned = { value, tag }
      return value
    },
    Z(_awaited, _tag, value) {
      T.t = 1
      return value
    },
  }
}
