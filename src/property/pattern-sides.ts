/** Questions about the ends of a pattern: may it be empty, may a guard at its side extend beyond it? */
import type { Pattern } from './ast.ts'

/** Deeper patterns are refused. */
export const DEEPEST = 400

/** Answers by pattern: a deep one asks for the same over and over. */
const known = { nullable: new WeakMap<Pattern, boolean>(), begin: new WeakMap<Pattern, boolean>(), end: new WeakMap<Pattern, boolean>() }

function remembered(answers: WeakMap<Pattern, boolean>, pattern: Pattern, find: () => boolean): boolean {
  let answer = answers.get(pattern)
  if (answer === undefined) answers.set(pattern, (answer = find()))
  return answer
}

/** May the pattern match without an event? */
export const nullable = (pattern: Pattern, depth: number): boolean =>
  remembered(known.nullable, pattern, () => findNullable(pattern, depth))

/** May a guard stand at its begin (or end) that looks beyond it? Saying yes too often only makes alternatives that follow from others. */
export const hasGuardAt = (pattern: Pattern, side: 'begin' | 'end', depth: number): boolean =>
  remembered(known[side], pattern, () => findGuardAt(pattern, side, depth))

function findNullable(pattern: Pattern, depth: number): boolean {
  if (depth > DEEPEST) return false
  switch (pattern.kind) {
    case 'event':
    case 'parallel':
      return false
    case 'choice':
      return pattern.parts.some((part) => nullable(part, depth + 1))
    case 'sequence':
    case 'both':
      return pattern.parts.every((part) => nullable(part, depth + 1))
    case 'repeat':
      return pattern.how !== '+' || nullable(pattern.inner, depth + 1)
    case 'not':
      return isGuard(pattern.inner, depth + 1)
  }
}

function findGuardAt(pattern: Pattern, side: 'begin' | 'end', depth: number): boolean {
  if (depth > DEEPEST) return true
  switch (pattern.kind) {
    case 'event':
    case 'parallel':
      return false
    case 'not':
      return isGuard(pattern.inner, depth + 1)
    case 'choice':
    case 'both':
      return pattern.parts.some((part) => hasGuardAt(part, side, depth + 1))
    case 'repeat':
      return hasGuardAt(pattern.inner, side, depth + 1)
    case 'sequence': {
      const parts = side === 'begin' ? pattern.parts : pattern.parts.toReversed()
      for (const part of parts) {
        if (hasGuardAt(part, side, depth + 1)) return true
        if (!nullable(part, depth + 1)) return false
      }
      return false
    }
  }
}

function isGuard(inner: Pattern, depth: number): boolean {
  if (depth > DEEPEST) return true
  return (
    inner.kind === 'event' ||
    (inner.kind === 'choice' && inner.parts.every((part) => isGuard(part, depth + 1))) ||
    ((inner.kind === 'sequence' || inner.kind === 'both') && inner.parts.length === 1 && isGuard(inner.parts[0]!, depth + 1))
  )
}
