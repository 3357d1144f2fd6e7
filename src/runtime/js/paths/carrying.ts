/**
 * Hooks without tags: they carry out what the program asks for and tell the decisions. Replays use them, and code that got away from where it is
 * recorded, with nobody to tell. Whatever an operation gives has the tag 1 here, so that decisions on constants are known from others.
 */
import { types } from 'node:util'
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import {
  added,
  binaryOf,
  cutBack,
  get,
  isConstructor,
  isNative,
  isObject,
  joined,
  notAConstructor,
  notAFunction,
  numeric,
  remove,
  set,
  unaryOf,
  type AnyFunction,
} from './carry.ts'
import { isBuiltin } from './builtins.ts'
import { PURE } from './pure.ts'
import { noteMethod } from './usual.ts'

const { apply } = Reflect

export interface Told {
  branch(site: number, kind: string, outcome: boolean, tag: number): void
  receiver(site: number, value: unknown, kind: 'receiver' | 'callee'): void
  index(site: number, key: unknown): void
  /** Instrumented code works on it, or stores it. */
  see(value: unknown): void
  /** An access to elements, which `act` makes, may be a step. Was it one more read of a circle in which the thread goes round? */
  element(act: () => void): boolean
}

export const NOBODY: Told = {
  branch() {},
  receiver() {},
  index() {},
  see() {},
  element(act) {
    act()
    return false
  },
}

/** Part of the tag of what a thread has read in one more round of a circle, and of what is made of it. */
export const OF_ROUND = 2

/** What a function gave back last. */
interface Returned {
  readonly value: unknown
  readonly tag: number
}

class Method {
  constructor(
    readonly base: unknown,
    readonly key: unknown,
    readonly callee: unknown,
  ) {}
}
/** In place of the key, where the program has read the method itself. */
const READ_BEFORE = Symbol('read before')

const functionCall: unknown = Function.prototype.call
const functionApply: unknown = Function.prototype.apply
const reflectApply: unknown = Reflect.apply
const KEYED = new Set<unknown>(
  [Map.prototype, WeakMap.prototype, Set.prototype, WeakSet.prototype].flatMap((prototype) =>
    ['get', 'has', 'set', 'add', 'delete'].map((name) => (prototype as unknown as Record<string, unknown>)[name]),
  ),
)
KEYED.delete(undefined)

/** Does a typed array or Atomics take part? Then it may be a step. */
const isElement = (base: unknown): boolean => ArrayBuffer.isView(base)

/** `first`: the number of the module's first site. */
export function carryingHooks(inner: ModuleHooks, first: number, told: Told): PathHooks {
  const T = { t: 0 }
  let lastReturned: Returned | undefined
  const { t, a, ar, l, k, kf, e, x } = inner

  function decide(base: unknown, tb: number, key: unknown, tk: number, site: number): void {
    if (tb !== 0) told.receiver(first + site, base, 'receiver')
    if (tk !== 0) told.index(first + site, key)
    told.see(base)
    T.t = 1
  }

  /** What a call has given, of a function that is not native. */
  function gave(result: unknown): unknown {
    const returned = lastReturned
    T.t = returned !== undefined && Object.is(returned.value, result) ? returned.tag | 1 : 1
    return result
  }

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

  function G(base: unknown, tb: number, key: unknown, tk: number, site: number): unknown {
    decide(base, tb, key, tk, site)
    let value: unknown
    let again = false
    if (isElement(base)) again = told.element(() => (value = get(key, inner.er(base, key, site), G as AnyFunction)))
    else value = get(key, inner.r(base, key, site), G as AnyFunction)
    T.t = again ? 1 | OF_ROUND : 1
    return value
  }

  function P<V>(base: unknown, tb: number, key: unknown, tk: number, value: V, tv: number, site: number, strict: 0 | 1): V {
    decide(base, tb, key, tk, site)
    told.see(value)
    if (isElement(base)) told.element(() => set(inner.et(base), key, inner.ew(base, key, site, value), strict, P as AnyFunction))
    else set(base, key, inner.w(base, key, site, value), strict, P as AnyFunction)
    T.t = tv
    return value
  }

  function U(base: unknown, tb: number, key: unknown, tk: number, add: 1 | -1, prefix: 0 | 1, site: number, strict: 0 | 1): unknown {
    decide(base, tb, key, tk, site)
    let result: unknown
    if (isElement(base) && inner.en(base, key)) told.element(() => (result = inner.eu(base, key, site, add, prefix)))
    else {
      const old = numeric(get(key, base, U as AnyFunction))
      inner.u(base, key, site, old, add)
      set(base, key, added(old, add), strict, U as AnyFunction)
      result = prefix === 1 ? added(old, add) : old
    }
    T.t = 1
    return result
  }

  function methodOf(base: unknown, tb: number, key: unknown, tk: number, site: number, asked: AnyFunction): unknown {
    decide(base, tb, key, tk, site)
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
    lastReturned = undefined
    return !isNative(callee as AnyFunction)
  }

  const F = (base: unknown, tb: number, key: unknown, tk: number, site: number): Method =>
    new Method(base, key, methodOf(base, tb, key, tk, site, F as unknown as AnyFunction))

  function Mf(site: number, text: string, found: object, args: unknown[]): unknown {
    const { base, key, callee } = found as Method
    if (isOwn(site, text, base, key, callee, args, Mf as AnyFunction)) return gave(apply(callee as AnyFunction, base, args))
    return key !== READ_BEFORE && base === Atomics ? atomics(key, args, site) : call(callee as AnyFunction, base, args, site)
  }

  function M(site: number, text: string, base: unknown, tb: number, key: unknown, tk: number, args: unknown[]): unknown {
    const callee = methodOf(base, tb, key, tk, site, M as AnyFunction)
    if (isOwn(site, text, base, key, callee, args, M as AnyFunction)) return gave(apply(callee as AnyFunction, base, args))
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
    lastReturned = undefined
    if (isNative(callee as AnyFunction)) return call(callee as AnyFunction, undefined, args, site)
    return gave(apply(callee as AnyFunction, undefined, args))
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
    T,
    p: (value) => value,
    c(value, tag) {
      T.t = tag
      return value
    },
    O(value) {
      T.t = 1
      return value
    },
    B(operator, one, ta, two, tb) {
      const result = binaryOf(operator, one as never, two as never)
      T.t = ta | tb
      return result
    },
    N(operator, one, ta) {
      const result = unaryOf(operator, one as never)
      T.t = ta
      return result
    },
    I(one, ta, add) {
      const result = added(numeric(one), add)
      T.t = ta
      return result
    },
    J(one, ta) {
      const result = numeric(one)
      T.t = ta
      return result
    },
    H(strings, ...values) {
      const result = joined(strings, values)
      T.t = 1
      return result
    },
    b(site, kind, value, tag) {
      T.t = tag
      if (kind === 'index') {
        if (tag !== 0) told.index(first + site, value)
        return value
      }
      const outcome = kind === '??' || kind === '?.' ? value === null || value === undefined : Boolean(value)
      told.branch(first + site, kind, outcome, tag)
      return value
    },
    S(site, value, tv, c, tc) {
      told.branch(first + site, 'switch', value === c, tv | tc)
      return value === c
    },
    G,
    P,
    U,
    D(base, tb, key, tk, site, strict) {
      decide(base, tb, key, tk, site)
      return remove(inner.d(base, key, site), key, strict)
    },
    K(key, tk, base, tb, site) {
      decide(base, tb, key, tk, site)
      inner.r(base, key, site)
      return (key as string) in (base as object)
    },
    Gp(base, tb, key, site, value) {
      decide(base, tb, key, 0, site)
      inner.r(base, key, site)
      return value
    },
    Pp(base, tb, key, site, value, tv) {
      decide(base, tb, key, 0, site)
      told.see(value)
      inner.w(base, key, site, value)
      T.t = tv
      return value
    },
    C,
    M,
    F,
    Fv: (base, _tb, callee) => new Method(base, READ_BEFORE, callee),
    Mf,
    W,
    Q(iterable, tag, site) {
      if (tag !== 0) told.receiver(first + site, iterable, 'receiver')
      told.see(iterable)
      T.t = 1
      return inner.i(iterable, site)
    },
    Qo(object, tag, site) {
      if (tag !== 0) told.receiver(first + site, object, 'receiver')
      told.see(object)
      T.t = 1
      return inner.o(object, site)
    },
    E: () => undefined,
    A: () => 1,
    Ap: () => 1,
    R(_frame, value, tag) {
      T.t = tag
      if ((tag & OF_ROUND) !== 0) lastReturned = { value, tag }
      return value
    },
    Z(_awaited, _tag, value) {
      T.t = 1
      return value
    },
    X(base, tb, _key, value, site) {
      if (isObject(base)) {
        if (tb !== 0) told.receiver(first + site, base, 'receiver')
        told.see(base)
        told.see(value)
      }
      return 1
    },
    Xi(_iterable, _tq, _nth, value) {
      told.see(value)
      return 1
    },
    L(object) {
      told.see(object)
      T.t = 0
      return object
    },
    s: inner.s,
    vr(scope, index, site, value) {
      T.t = 1
      return inner.vr(scope, index, site, value)
    },
    vw(scope, index, site, value, tag) {
      told.see(value)
      T.t = tag
      return inner.vw(scope, index, site, value)
    },
    t,
    a,
    ar,
    l,
    k,
    kf,
    e,
    x,
  }
}
