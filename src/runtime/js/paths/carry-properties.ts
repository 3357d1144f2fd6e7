/** Properties, without tags. */
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { added, get, numeric, remove, set, type AnyFunction } from './carry.ts'
import type { Carried } from './carried.ts'
import { OF_ROUND } from './told.ts'

/** Does a typed array or Atomics take part? Then it may be a step. */
const isElement = (base: unknown): boolean => ArrayBuffer.isView(base)

export function carryProperties(carried: Carried): Pick<PathHooks, 'G' | 'P' | 'U' | 'D' | 'K' | 'Gp' | 'Pp'> {
  const { inner, told, T } = carried

  function G(base: unknown, tb: number, key: unknown, tk: number, site: number): unknown {
    carried.decide(base, tb, key, tk, site)
    let value: unknown
    let again = false
    if (isElement(base)) again = told.element(() => (value = get(key, inner.er(base, key, site), G as AnyFunction)))
    else value = get(key, inner.r(base, key, site), G as AnyFunction)
    T.t = again ? 1 | OF_ROUND : 1
    return value
  }

  function P<V>(base: unknown, tb: number, key: unknown, tk: number, value: V, tv: number, site: number, strict: 0 | 1): V {
    carried.decide(base, tb, key, tk, site)
    told.see(value)
    if (isElement(base)) told.element(() => set(inner.et(base), key, inner.ew(base, key, site, value), strict, P as AnyFunction))
    else set(base, key, inner.w(base, key, site, value), strict, P as AnyFunction)
    T.t = tv
    return value
  }

  function U(base: unknown, tb: number, key: unknown, tk: number, add: 1 | -1, prefix: 0 | 1, site: number, strict: 0 | 1): unknown {
    carried.decide(base, tb, key, tk, site)
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

  return {
    G,
    P,
    U,
    D(base, tb, key, tk, site, strict) {
      carried.decide(base, tb, key, tk, site)
      return remove(inner.d(base, key, site), key, strict)
    },
    K(key, tk, base, tb, site) {
      carried.decide(base, tb, key, tk, site)
      inner.r(base, key, site)
      return (key as string) in (base as object)
    },
    Gp(base, tb, key, site, value) {
      carried.decide(base, tb, key, 0, site)
      inner.r(base, key, site)
      return value
    },
    Pp(base, tb, key, site, value, tv) {
      carried.decide(base, tb, key, 0, site)
      told.see(value)
      inner.w(base, key, site, value)
      T.t = tv
      return value
    },
  }
}
