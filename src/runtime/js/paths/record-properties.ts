/** The hooks of properties in a recorded run: reads, writes, updates, deletions, `in`, private names. */
import { types } from 'node:util'
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { added, get, numeric, remove, set, type AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { changeElement, readElement, viewFor, writeElement } from './cells.ts'
import { decide } from './decisions.ts'
import { opaque, T, unary } from './expressions.ts'
import { rows } from './here.ts'
import { FRESH, input, output, writeElements, writeKeys } from './locations.ts'
import { knownOf, see } from './objects.ts'
import { indexOf, readProperty, tagOfProperty, writeProperty } from './properties.ts'

/** `first`: the number of the module's first site. `quiet`: for the time before a window and after it. */
export function propertyHooks(
  inner: ModuleHooks,
  first: number,
  quiet: PathHooks,
): Pick<PathHooks, 'G' | 'P' | 'U' | 'D' | 'K' | 'Gp' | 'Pp'> {
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

  return { G, P, U, ...rareAccesses(inner, first) }
}

function rareAccesses(inner: ModuleHooks, first: number): Pick<PathHooks, 'D' | 'K' | 'Gp' | 'Pp'> {
  return {
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
  }
}
