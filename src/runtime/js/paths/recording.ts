/**
 * The hooks of a recorded run (src/instrument/paths/hooks.ts): they carry out what the program asks for, keep the tags of values, and write rows. The usual
 * trace is written by the usual hooks, which are called where the usual rewriting would call them.
 */
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { Frame, PathHooks } from '../../../instrument/paths/hooks.ts'
import { argument, begun, constructed, entering, gave, left, returns, type Call } from './calls.ts'
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
import { atomic, changeElement, readElement, viewFor, writeElement } from './cells.ts'
import { carryingHooks, NOBODY, type Told } from './carrying.ts'
import { call, construct, notFollowed, notFollowedNew } from './dispatch.ts'
import { binary, branch, index, many, opaque, receiver, T, unary, unknown, use } from './expressions.ts'
import { readCollection } from './entries.ts'
import { readArray, readItem } from './arrays.ts'
import { literal } from './literals.ts'
import { together } from './handlers.ts'
import { here, rows, turn } from './here.ts'
import { FRESH, input, inputVariable, output, writeElements, writeKeys } from './locations.ts'
import { knownOf, made, Place, see, seeAll } from './objects.ts'
import { indexOf, readProperty, tagOfProperty, writeProperty } from './properties.ts'
import { came, cameIn } from './promises.ts'
import { noteMethod } from './usual.ts'
import { readObject } from './whole.ts'
import { types } from 'node:util'

const { apply, construct: constructing } = Reflect

/** Objects have to get their labels, whatever is recorded. */
const ONLY_SEEN: Told = { ...NOBODY, see: (value) => (rows.over ? undefined : see(value)) }

/** Variables of one activation: that of the usual hooks, and what they held last. */
class PathScope {
  readonly places: (Place | undefined)[] = []
  constructor(
    readonly inner: object,
    readonly born: number,
  ) {}
}

/** A method that is about to be called. */
class Method {
  constructor(
    readonly base: unknown,
    readonly tb: number,
    readonly key: unknown,
    readonly callee: unknown,
  ) {}
}
/** In place of the key, where the program has read the method itself. */
const READ_BEFORE = Symbol('read before')

/** `first`: the number of the module's first site. */
export function recordingHooks(inner: ModuleHooks, first: number): PathHooks {
  const { t, a, ar, l, k, kf, e, x } = inner
  /** For the time before a window and after it. */
  const quiet = carryingHooks(inner, first, ONLY_SEEN)

  /** The decisions of an access; those of null come before the engine throws. */
  function decide(base: unknown, tb: number, key: unknown, tk: number, site: number): void {
    here()
    if (tb !== 0) receiver(site, base, tb)
    if (tk !== 0) index(site, key, tk)
    see(base)
  }

  function G(base: unknown, tb: number, key: unknown, tk: number, site: number): unknown {
    if (!rows.on) return quiet.G(base, tb, key, tk, site)
    const at = first + site
    decide(base, tb, key, tk, at)
    if (!isObject(base)) {
      const value = get(key, base, G as AnyFunction)
      T.t = typeof value === 'function' ? 0 : opaque(value, tb, tk)
      return value
    }
    const view = viewFor(base)
    if (view !== undefined) {
      const i = indexOf(key)
      if (view.has(i)) return readElement(view, i, () => get(key, inner.er(base, key, site), G as AnyFunction), at)
    }
    inner.r(base, key, site)
    return readProperty(base, tb, key, at)
  }

  function P<V>(base: unknown, tb: number, key: unknown, tk: number, value: V, tv: number, site: number, strict: 0 | 1): V {
    if (!rows.on) return quiet.P(base, tb, key, tk, value, tv, site, strict)
    const at = first + site
    decide(base, tb, key, tk, at)
    see(value)
    if (!isObject(base)) set(base, key, value, strict, P as AnyFunction)
    else {
      const view = viewFor(base)
      const i = view === undefined ? -1 : indexOf(key)
      if (view?.has(i)) {
        writeElement(view, i, value, tv, () => void ((inner.et(base) as Record<number, unknown>)[i] = inner.ew(base, key, site, value)), at)
      } else {
        inner.w(base, key, site, value)
        writeProperty(base, tb, key, value, tv, at, strict, P as AnyFunction)
      }
    }
    T.t = tv
    return value
  }

  function U(base: unknown, tb: number, key: unknown, tk: number, add: 1 | -1, prefix: 0 | 1, site: number, strict: 0 | 1): unknown {
    if (!rows.on) return quiet.U(base, tb, key, tk, add, prefix, site, strict)
    const at = first + site
    decide(base, tb, key, tk, at)
    const view = isObject(base) ? viewFor(base) : undefined
    const i = view === undefined ? -1 : indexOf(key)
    if (view?.has(i)) {
      let seen: unknown
      const { old, after } = changeElement(view, i, add, () => (seen = inner.eu(base, key, site, add, 0)), at)
      T.t = prefix === 1 ? after : old
      return prefix === 1 ? added(seen as number, add) : seen
    }
    if (!isObject(base)) {
      const old = numeric(get(key, base, U as AnyFunction))
      set(base, key, added(old, add), strict, U as AnyFunction)
      T.t = opaque(old, tb, tk)
      return prefix === 1 ? added(old, add) : old
    }
    const held = readProperty(base, tb, key, at)
    const th = T.t
    const old = numeric(held)
    const value = added(old, add)
    inner.u(base, key, site, old, add)
    const told = typeof held === typeof old ? th : unary('num', held, th, old)
    const tvalue = unary(add === 1 ? 'inc' : 'dec', old, told, value)
    writeProperty(base, tb, key, value, tvalue, at, strict, U as AnyFunction)
    T.t = prefix === 1 ? tvalue : told
    return prefix === 1 ? value : old
  }

  /** Reads the method of a call. */
  function methodOf(base: unknown, tb: number, key: unknown, tk: number, site: number, asked: AnyFunction): unknown {
    const at = first + site
    decide(base, tb, key, tk, at)
    if (!isObject(base)) return get(key, base, asked)
    if (base === Atomics) return undefined
    const callee = readProperty(base, tb, key, at)
    if (T.t !== 0) receiver(at, callee, T.t, 'callee')
    return callee
  }

  /** A method is called next. Is it one of the program's? */
  function isOwn(site: number, text: string, base: unknown, key: unknown, callee: unknown, args: unknown[], asked: AnyFunction): boolean {
    here()
    seeAll(args)
    if (isObject(base) && key !== READ_BEFORE) {
      if (base === Atomics) return false
      noteMethod(inner, base, key, args, site)
      notFollowed(base, key)
    }
    if (typeof callee !== 'function') throw notAFunction(text, asked)
    return !isNative(callee as AnyFunction)
  }

  const F = (base: unknown, tb: number, key: unknown, tk: number, site: number): object =>
    rows.on ? new Method(base, tb, key, methodOf(base, tb, key, tk, site, F as unknown as AnyFunction)) : quiet.F(base, tb, key, tk, site)

  function M(
    site: number,
    text: string,
    base: unknown,
    tb: number,
    key: unknown,
    tk: number,
    args: unknown[],
    tags: number[] | undefined,
  ): unknown {
    if (!rows.on) return quiet.M(site, text, base, tb, key, tk, args, tags)
    const callee = methodOf(base, tb, key, tk, site, M as AnyFunction)
    if (!isOwn(site, text, base, key, callee, args, M as AnyFunction)) {
      if (base === Atomics) return atomics(base, key, args, tags, site, text, M as AnyFunction)
      return call(callee as AnyFunction, base, tb, args, tags, first + site)
    }
    const frame = entering(args, tags, tb)
    try {
      args = apply(callee as AnyFunction, base, args) as unknown[]
    } finally {
      left(frame)
    }
    return gave(frame, args, base)
  }

  function Mf(site: number, text: string, found: object, args: unknown[], tags: number[] | undefined): unknown {
    // What F found where nothing was recorded yet, or any more.
    if (!(found instanceof Method)) return quiet.Mf(site, text, found, args, tags)
    if (!isOwn(site, text, found.base, found.key, found.callee, args, Mf as AnyFunction)) {
      if (found.base === Atomics && found.key !== READ_BEFORE)
        return atomics(found.base, found.key, args, tags, site, text, Mf as AnyFunction)
      return call(found.callee as AnyFunction, found.base, found.tb, args, tags, first + site)
    }
    const frame = entering(args, tags, found.tb)
    try {
      args = apply(found.callee as AnyFunction, found.base, args) as unknown[]
    } finally {
      left(frame)
    }
    return gave(frame, args, found.base)
  }

  function atomics(
    base: object,
    key: unknown,
    args: unknown[],
    tags: number[] | undefined,
    site: number,
    text: string,
    asked: AnyFunction,
  ): unknown {
    const knows = inner.at(base, site) as Record<string, AnyFunction>
    const callee = knows[key as string]
    if (typeof callee !== 'function') throw notAFunction(text, asked)
    const act = (): unknown => Reflect.apply(callee, knows, args)
    const view = viewFor(args[0])
    const i = typeof args[1] === 'number' ? args[1] : -1
    if (view !== undefined && view.has(i)) return atomic(key as string, view, i, args, tags, act, first + site)
    const result = act()
    T.t = opaque(result, tags?.[0], tags?.[1], tags?.[2])
    return result
  }

  function C(site: number, text: string, callee: unknown, tc: number, args: unknown[], tags: number[] | undefined): unknown {
    if (!rows.on) return quiet.C(site, text, callee, tc, args, tags)
    here()
    if (tc !== 0) receiver(first + site, callee, tc)
    seeAll(args)
    if (typeof callee !== 'function') throw notAFunction(text, C as AnyFunction)
    if (isNative(callee as AnyFunction)) return call(callee as AnyFunction, undefined, 0, args, tags, first + site)
    const frame = entering(args, tags, 0)
    try {
      args = apply(callee as AnyFunction, undefined, args) as unknown[]
    } finally {
      left(frame)
    }
    return gave(frame, args, undefined)
  }

  function W(site: number, text: string, callee: unknown, tc: number, args: unknown[], tags: number[] | undefined): unknown {
    if (!rows.on) return quiet.W(site, text, callee, tc, args, tags)
    here()
    if (tc !== 0) receiver(first + site, callee, tc)
    seeAll(args)
    if (!isConstructor(callee)) throw notAConstructor(text, W as AnyFunction)
    notFollowedNew(callee)
    let result: unknown
    if (isNative(callee)) result = construct(callee, args, tags)
    else {
      const frame = entering(args, tags, 0)
      try {
        result = constructing(callee, args)
      } finally {
        left(frame)
      }
      constructed(frame, result)
    }
    // Where an error was made is where the program asked for it.
    cutBack(result, W as AnyFunction)
    see(result)
    return result
  }

  /** The tag of what a pattern took from `base`. */
  function taken(base: object, key: string, value: unknown, site: number): number {
    const view = viewFor(base)
    if (view !== undefined && view.has(indexOf(key))) return unknown(value)
    inner.r(base, key, site)
    const held = tagOfProperty(base, key, first + site)
    if (held === undefined) return unknown(value)
    // A default was taken, or it is a method.
    return Object.is(held.value, value) || held.tag === 0 ? held.tag : opaque(value, held.tag)
  }

  return {
    T,
    p: (value) => value,
    c(value, tag) {
      T.t = tag
      return value
    },
    O(value) {
      T.t = unknown(value)
      return value
    },
    B(operator, one, ta, two, tb) {
      const result = binaryOf(operator, one as never, two as never)
      T.t = ta === 0 && tb === 0 ? 0 : binary(operator, one, ta, two, tb, result)
      return result
    },
    N(operator, one, ta) {
      const result = unaryOf(operator, one as never)
      T.t = ta === 0 ? 0 : unary(operator === '-' ? 'neg' : operator === '+' ? 'plus' : operator, one, ta, result)
      return result
    },
    I(one, ta, add) {
      const result = added(numeric(one), add)
      T.t = ta === 0 ? 0 : unary(add === 1 ? 'inc' : 'dec', one, ta, result)
      return result
    },
    J(one, ta) {
      const result = numeric(one)
      T.t = ta === 0 || Object.is(result, one) ? use(ta) : unary('num', one, ta, result)
      return result
    },
    H(strings, ...values) {
      const result = joined(strings, values)
      const parts: unknown[] = [strings[0]]
      const tags: number[] = [0]
      let objects = false
      for (let i = 1; i < strings.length; i++) {
        const value = values[2 * (i - 1)]
        if (isObject(value)) objects = true
        parts.push(value, strings[i])
        tags.push(values[2 * i - 1] as number, 0)
      }
      T.t = objects ? together(result, tags) && opaque(result, together(result, tags)) : many('template', parts, tags, result)
      return result
    },
    b(site, kind, value, tag) {
      T.t = tag
      if (kind === 'index') {
        index(first + site, value, tag)
        return value
      }
      const outcome = kind === '??' || kind === '?.' ? value === null || value === undefined : Boolean(value)
      branch(first + site, kind, outcome, tag)
      return value
    },
    S(site, value, tv, c, tc) {
      const result = value === c
      branch(first + site, 'switch', result, tv === 0 && tc === 0 ? 0 : binary('===', value, tv, c, tc, result))
      return result
    },
    G,
    P,
    U,
    D(base, tb, key, tk, site, strict) {
      const at = first + site
      decide(base, tb, key, tk, at)
      T.t = 0
      if (!isObject(base)) return remove(base, key, strict)
      inner.d(base, key, site)
      if (isObject(key) || types.isProxy(base)) return remove(base, key, strict)
      const name = typeof key === 'number' ? String(key) : (key as PropertyKey)
      const old = Object.getOwnPropertyDescriptor(base, name)
      const result = remove(base, key, strict)
      if (old !== undefined && result) {
        const known = knownOf(base)
        const i = Array.isArray(base) ? indexOf(key) : -1
        if (i < 0) output(known.place(name), base, old.value, undefined, 0, at)
        else {
          output(known.item(i), base, old.value, undefined, 0, at, known.epoch)
          writeElements(base, known, 0, at)
        }
        writeKeys(base, known, 0, at)
      }
      return result
    },
    K(key, tk, base, tb, site) {
      const at = first + site
      decide(base, tb, key, tk, at)
      if (!isObject(base)) return (key as string) in (base as object)
      inner.r(base, key, site)
      const held = viewFor(base) === undefined ? tagOfProperty(base, key, at) : { tag: 0 }
      const result = (key as string) in base
      T.t = opaque(result, held?.tag ?? 0, tb, tk)
      return result
    },
    Gp(base, tb, key, site, value) {
      const at = first + site
      decide(base, tb, key, 0, at)
      inner.r(base, key, site)
      if (typeof value === 'function') T.t = 0
      else {
        const known = knownOf(base as object)
        T.t = input(known.place(key), base as object, known, value, at)
      }
      return value
    },
    Pp(base, tb, key, site, value, tv) {
      const at = first + site
      decide(base, tb, key, 0, at)
      see(value)
      inner.w(base, key, site, value)
      if (isObject(base)) output(knownOf(base).place(key), base, FRESH, value, tv, at)
      T.t = tv
      return value
    },
    C,
    M,
    F,
    Fv: (base, tb, callee) => new Method(base, tb, READ_BEFORE, callee),
    Mf,
    W,
    Q(iterable, tag, site) {
      here()
      const at = first + site
      if (tag !== 0) receiver(at, iterable, tag)
      T.t = tag
      if (!isObject(iterable)) return iterable
      see(iterable)
      inner.i(iterable, site)
      if (types.isProxy(iterable) || viewFor(iterable) !== undefined) T.t = 0
      else if (Array.isArray(iterable)) T.t = readArray(iterable, at)
      else T.t = types.isMap(iterable) || types.isSet(iterable) ? readCollection(iterable, at) : 0
      return iterable
    },
    Qo(object, tag, site) {
      here()
      const at = first + site
      if (tag !== 0) receiver(at, object, tag)
      T.t = tag
      if (!isObject(object)) return object
      see(object)
      inner.o(object, site)
      T.t = readObject(object, at)
      return object
    },
    E: (_site, isAsync) => (rows.on ? (begun(isAsync === 1) as Frame) : undefined),
    A: (frame, nth, value) => (rows.on ? argument(frame as Call | undefined, nth, value) : 0),
    Ap(frame, nth, key, value, site) {
      here()
      const from = frame as Call | undefined
      if (from === undefined || from.by !== undefined) return argument(from, nth, value)
      if (from.waited !== undefined && nth === 0) return cameIn(from.waited, key, value, (base) => taken(base, key, value, site))
      const base = from.args[nth]
      return isObject(base) ? taken(base, key, value, site) : argument(from, nth, value)
    },
    R(frame, value, tag) {
      returns(frame as Call | undefined, value, tag)
      T.t = tag
      return value
    },
    Z(awaited, tag, value) {
      T.t = came(awaited, tag, value)
      return value
    },
    X(base, tb, key, value, site) {
      here()
      if (!isObject(base)) return opaque(value, tb)
      if (tb !== 0) receiver(first + site, base, tb)
      see(base)
      see(value)
      return taken(base, key, value, site)
    },
    Xi(iterable, tq, nth, value, site) {
      here()
      see(value)
      if (!Array.isArray(iterable) || types.isProxy(iterable)) return opaque(value, tq)
      const held: unknown = Object.getOwnPropertyDescriptor(iterable, nth)?.value
      // The array may have its own ways, or changes while somebody goes over it.
      if (!Object.is(held, value)) return opaque(value, tq)
      return readItem(iterable, nth, value, first + site)
    },
    L(object, site, ...keysAndTags) {
      here()
      made(object).see()
      if (keysAndTags.length > 0) literal(object, first + site, keysAndTags)
      T.t = 0
      return object
    },
    s(firstSite, count) {
      here()
      return new PathScope(inner.s(firstSite, count), turn)
    },
    vr(scope, nth, site, value) {
      const path = scope as PathScope
      inner.vr(path.inner, nth, site, value)
      if (!rows.on) return value
      T.t = inputVariable((path.places[nth] ??= new Place(nth)), path.inner, value, first + site)
      return value
    },
    vw(scope, nth, site, value, tag) {
      const path = scope as PathScope
      inner.vw(path.inner, nth, site, value)
      here()
      see(value)
      if (!rows.on) return value
      output((path.places[nth] ??= new Place(nth)), path.inner, path.born === turn ? FRESH : undefined, value, tag, first + site)
      T.t = tag
      return value
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
