/** The hooks of calls in a recorded run: functions, methods, `new`, and what the callee reports about its arguments and its result. */
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { Frame, PathHooks } from '../../../instrument/paths/hooks.ts'
import { argument, begun, constructed, entering, gave, left, returns, type Call } from './calls.ts'
import { cutBack, get, isConstructor, isNative, notAConstructor, notAFunction, type AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { atomic, viewFor } from './cells.ts'
import { decide } from './decisions.ts'
import { call, construct, notFollowed, notFollowedNew } from './dispatch.ts'
import { opaque, receiver, T } from './expressions.ts'
import { here, rows } from './here.ts'
import { see, seeAll } from './objects.ts'
import { came } from './promises.ts'
import { readProperty } from './properties.ts'
import { noteMethod } from './usual.ts'

const { apply, construct: constructing } = Reflect

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

/** `first`: the number of the module's first site. `quiet`: for the time before a window and after it. */
export const callHooks = (
  inner: ModuleHooks,
  first: number,
  quiet: PathHooks,
): Pick<PathHooks, 'C' | 'W' | 'F' | 'Fv' | 'M' | 'Mf' | 'E' | 'A' | 'R' | 'Z'> => ({
  ...functionHooks(first, quiet),
  ...methodHooks(inner, first, quiet),
  E: (_site, isAsync) => (rows.on ? (begun(isAsync === 1) as Frame) : undefined),
  A: (frame, nth, value) => (rows.on ? argument(frame as Call | undefined, nth, value) : 0),
  R(frame, value, tag) {
    returns(frame as Call | undefined, value, tag)
    T.t = tag
    return value
  },
  Z(awaited, tag, value) {
    T.t = came(awaited, tag, value)
    return value
  },
})

function functionHooks(first: number, quiet: PathHooks): Pick<PathHooks, 'C' | 'W'> {
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

  return { C, W }
}

function methodHooks(inner: ModuleHooks, first: number, quiet: PathHooks): Pick<PathHooks, 'F' | 'Fv' | 'M' | 'Mf'> {
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

  return { F, Fv: (base, tb, callee) => new Method(base, tb, READ_BEFORE, callee), M, Mf }
}
