/**
 * The ordinary hooks (../memory, ../threads) for operations that the hooks of paths carry out: called as the ordinary instrumentation would call
 * them.
 */
import { COLLECTION_METHODS, KEYED_METHODS, type ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'

/** Static functions of Object that read all properties of their first argument. */
const READS_ALL = new Set(['keys', 'values', 'entries', 'getOwnPropertyNames', 'getOwnPropertyDescriptors'])

/** A method is called right after. */
export function noteMethod(inner: ModuleHooks, base: unknown, key: unknown, args: readonly unknown[], site: number): void {
  const n = args.length
  if (typeof key !== 'string') inner.r(base, key, site)
  else if (COLLECTION_METHODS.has(key)) {
    if (n === 0) inner.m(base, key, site)
    else if (n > 1 && KEYED_METHODS.has(key)) inner.h(base, key, site, args[0], args[n - 1])
    else inner.g(base, key, site, args[n - 1])
  } else if (base === Object && READS_ALL.has(key)) inner.o(args[0], site)
  else if (base === Object && key === 'assign') for (let i = 1; i < n; i++) inner.f(args[0], site, args[i])
  else if (base === JSON && key === 'stringify') inner.j(args[0], site)
  else inner.r(base, key, site)
}

/** Those that code with tags calls itself. */
export const usualHooks = (inner: ModuleHooks): Pick<PathHooks, 't' | 'a' | 'ar' | 'l' | 'k' | 'kf' | 'e' | 'x'> => ({
  t: (base, site) => inner.t(base, site),
  a: (site) => inner.a(site),
  ar: (waits, value) => inner.ar(waits, value),
  l: (site) => inner.l(site),
  k: (base, name, nth) => inner.k(base, name, nth),
  kf: (name, callee, nth) => inner.kf(name, callee, nth),
  e: (site) => inner.e(site),
  x: (site) => inner.x(site),
})
