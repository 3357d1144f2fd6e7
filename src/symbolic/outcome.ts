/** The decision of a branch on a value: docs/branches.md, "Kinds and outcomes". */
import { isNullish, isTruthy } from './operators.ts'
import { isObject, same, SOMETHING, THROWN, UNKNOWN, type Known, type Result } from './known.ts'
import type { Value } from '../trace/values.ts'

export function outcomeFor(kind: string, result: Result): Known {
  if (kind === 'throws') return result === UNKNOWN ? UNKNOWN : result === THROWN
  if (result === UNKNOWN || result === THROWN || result === SOMETHING) return UNKNOWN
  switch (kind) {
    case 'receiver':
    case 'callee':
    case 'index':
      return result
    case '??':
    case '?.':
      return isNullish(result)
    default:
      return isTruthy(result)
  }
}

/** Receivers have labels of their own, and keys may be written as texts: there it is enough that one is an object where the other is. */
export function isOutcome(kind: string, found: Known, recorded: Value): boolean {
  if (found === UNKNOWN) return false
  if (kind === 'receiver' || kind === 'callee') return isObject(recorded) ? isObject(found) : same(found, recorded)
  if (kind === 'index') return isObject(recorded) ? isObject(found) : !isObject(found) && String(found) === String(recorded)
  return same(found, recorded)
}

/** Some value by which a branch of this kind comes out like that. */
export const valueFor = (kind: string, outcome: Value): Value =>
  (kind === '??' || kind === '?.') && outcome === true ? undefined : outcome
