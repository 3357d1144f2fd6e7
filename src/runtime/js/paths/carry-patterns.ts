/** Iterations, patterns, literals and variables, without tags. */
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { isObject } from '../../../base/objects.ts'
import type { Carried } from './carried.ts'

export function carryPatterns({ inner, first, told, T }: Carried): Pick<PathHooks, 'Q' | 'Qo' | 'X' | 'Xi' | 'L' | 's' | 'vr' | 'vw'> {
  return {
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
    s: (firstSite, count) => inner.s(firstSite, count),
    vr(scope, index, site, value) {
      T.t = 1
      return inner.vr(scope, index, site, value)
    },
    vw(scope, index, site, value, tag) {
      told.see(value)
      T.t = tag
      return inner.vw(scope, index, site, value)
    },
  }
}
