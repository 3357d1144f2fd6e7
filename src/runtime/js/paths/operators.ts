/** The hooks of operators in a recorded run: they return the results of the language, with expressions as tags. */
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { added, binaryOf, joined, numeric, unaryOf } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { binary, many, opaque, T, unary, unknown, use } from './expressions.ts'
import { together } from './handlers.ts'

export const OPERATOR_HOOKS: Pick<PathHooks, 'p' | 'c' | 'O' | 'B' | 'N' | 'I' | 'J' | 'H'> = {
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
}
