/** Conditions, and the decisions that accesses make: which object, and which key. */
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { binary, branch, index, receiver, T } from './expressions.ts'
import { here } from './here.ts'
import { see } from './objects.ts'

/** The decisions of an access; those of null come before the engine throws. */
export function decide(base: unknown, tb: number, key: unknown, tk: number, at: number): void {
  here()
  if (tb !== 0) receiver(at, base, tb)
  if (tk !== 0) index(at, key, tk)
  see(base)
}

/** `first`: the number of the module's first site. */
export const decisionHooks = (first: number): Pick<PathHooks, 'b' | 'S'> => ({
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
})
