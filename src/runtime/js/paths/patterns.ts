/** The hooks of iterations, patterns and literals in a recorded run. */
import { types } from 'node:util'
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { readArray, readItem } from './arrays.ts'
import { argument, type Call } from './calls.ts'
import { isObject } from '../../../base/objects.ts'
import { viewFor } from './cells.ts'
import { readCollection } from './entries.ts'
import { opaque, receiver, T, unknown } from './expressions.ts'
import { here } from './here.ts'
import { literal } from './literals.ts'
import { made, see } from './objects.ts'
import { cameIn } from './promises.ts'
import { indexOf, tagOfProperty } from './properties.ts'
import { readObject } from './whole.ts'

/** `first`: the number of the module's first site. */
export function patternHooks(inner: ModuleHooks, first: number): Pick<PathHooks, 'Q' | 'Qo' | 'Ap' | 'X' | 'Xi' | 'L'> {
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
    Ap(frame, nth, key, value, site) {
      here()
      const from = frame as Call | undefined
      if (from === undefined || from.by !== undefined) return argument(from, nth, value)
      if (from.waited !== undefined && nth === 0) return cameIn(from.waited, key, value, (base) => taken(base, key, value, site))
      const base = from.args[nth]
      return isObject(base) ? taken(base, key, value, site) : argument(from, nth, value)
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
  }
}
