/** Operators and decisions, without tags: one bit says whether a value depends on an input. */
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { added, binaryOf, joined, numeric, unaryOf } from './carry.ts'
import type { Carried } from './carried.ts'

export function carryOperators({ first, told, T }: Carried): Pick<PathHooks, 'p' | 'c' | 'O' | 'B' | 'N' | 'I' | 'J' | 'H' | 'b' | 'S'> {
  return {
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
  }
}
