/**
 * Conditions on recorded values. A value that was not observed is neither true nor false, so `not` does not make it true: the event does not match.
 * `matches` takes a glob, as names do: a regular expression could take very long on a value that a program made.
 */
import type { Value } from '../trace/values.ts'
import type { Comparison, Condition, Operand } from './ast.ts'
import { globFits } from './globs.ts'

/** A value, or this where none was observed or none is bound. */
export const UNKNOWN = Symbol('unknown')
export type Known = Value | typeof UNKNOWN

/** Names that a condition speaks of. */
export function namesIn(condition: Condition, into = new Set<string>()): Set<string> {
  const add = (operand: Operand): void => void (operand.kind === 'name' && into.add(operand.name))
  if (condition.kind === 'not') namesIn(condition.inner, into)
  else if (condition.kind === 'compare') {
    add(condition.left)
    add(condition.right)
  } else {
    namesIn(condition.left, into)
    namesIn(condition.right, into)
  }
  return into
}

/** True, false, or undefined where it hangs on something unknown. */
export function holds(condition: Condition, valueOf: (name: string) => Known): boolean | undefined {
  switch (condition.kind) {
    case 'not': {
      const inner = holds(condition.inner, valueOf)
      return inner === undefined ? undefined : !inner
    }
    case 'compare':
      return compare(condition.how, operand(condition.left, valueOf), operand(condition.right, valueOf))
    case 'and':
    case 'or': {
      const decides = condition.kind === 'or'
      const left = holds(condition.left, valueOf)
      if (left === decides) return decides
      const right = holds(condition.right, valueOf)
      if (right === decides) return decides
      return left === undefined || right === undefined ? undefined : !decides
    }
  }
}

const operand = (side: Operand, valueOf: (name: string) => Known): Known => (side.kind === 'name' ? valueOf(side.name) : side.value)

function compare(how: Comparison, left: Known, right: Known): boolean | undefined {
  if (left === UNKNOWN || right === UNKNOWN) return undefined
  switch (how) {
    case '==':
      return same(left, right)
    case '!=':
      return !same(left, right)
    case '<':
      return bothOrdered(left, right, (a, b) => a < b)
    case '<=':
      return bothOrdered(left, right, (a, b) => a <= b)
    case '>':
      return bothOrdered(left, right, (a, b) => a > b)
    case '>=':
      return bothOrdered(left, right, (a, b) => a >= b)
  }
  const text = textOf(left)
  const part = textOf(right)
  if (text === undefined || part === undefined) return false
  switch (how) {
    case 'contains':
      return text.includes(part)
    case 'startsWith':
      return text.startsWith(part)
    case 'endsWith':
      return text.endsWith(part)
    case 'matches':
      return globFits(part, text)
  }
}

type Ordered = number | bigint | string

/** Numbers with numbers, texts with texts; nothing else is before or after anything. */
function bothOrdered(left: Value, right: Value, test: (a: Ordered, b: Ordered) => boolean): boolean {
  const kind = (value: Value): string => (typeof value === 'bigint' ? 'number' : typeof value)
  if (kind(left) !== kind(right) || (kind(left) !== 'number' && kind(left) !== 'string')) return false
  return test(left as Ordered, right as Ordered)
}

/** The same number, text or object. */
function same(left: Value, right: Value): boolean {
  if (isObject(left) || isObject(right)) return isObject(left) && isObject(right) && left.object === right.object
  return Object.is(left, right) || left === right
}

const isObject = (value: Value): value is { readonly object: string } => typeof value === 'object' && value !== null

/** Objects have no text; numbers have that of their digits. */
function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}
