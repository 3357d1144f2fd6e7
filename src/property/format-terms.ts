/** Patterns and conditions as text, with parentheses where the reader needs them and nowhere else. */
import type { Condition, Literal, Operand, Pattern } from './ast.ts'

/** How tightly a kind of pattern binds; one inside another of the same or less gets parentheses. */
const TIGHTNESS: Readonly<Record<Pattern['kind'], number>> = { parallel: 0, choice: 1, both: 2, sequence: 3, not: 4, repeat: 5, event: 6 }

export function formatPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'event': {
      const { name, task, region } = pattern
      const attributes = [
        ...(task === undefined ? [] : [task]),
        ...(region ? [`${region.edge === 'begin' ? '<' : '>'}${region.name}`] : []),
      ]
      return attributes.length === 0 ? name : `${name}(${attributes.join(',')})`
    }
    case 'repeat':
      return `${inside(pattern.inner, TIGHTNESS.repeat)}${pattern.how}`
    case 'not':
      return `!${inside(pattern.inner, TIGHTNESS.not)}`
    case 'parallel':
      return `${inside(pattern.left, TIGHTNESS.choice)} || ${inside(pattern.right, TIGHTNESS.choice)}`
    default: {
      const between = { sequence: ' ', both: ' & ', choice: ' | ' }[pattern.kind]
      return pattern.parts.map((part) => inside(part, TIGHTNESS[pattern.kind] + 1)).join(between)
    }
  }
}

function inside(pattern: Pattern, least: number): string {
  const text = formatPattern(pattern)
  return TIGHTNESS[pattern.kind] < least ? `(${text})` : text
}

const STRENGTH: Readonly<Record<Condition['kind'], number>> = { or: 0, and: 1, not: 2, compare: 3 }

export function formatCondition(condition: Condition): string {
  const part = (inner: Condition, least: number): string =>
    STRENGTH[inner.kind] < least ? `(${formatCondition(inner)})` : formatCondition(inner)
  if (condition.kind === 'compare') return `${formatOperand(condition.left)} ${condition.how} ${formatOperand(condition.right)}`
  if (condition.kind === 'not') return `!${condition.inner.kind === 'not' ? formatCondition(condition.inner) : part(condition.inner, 4)}`
  // Chains lean to the left, so what stands on the right of the same kind keeps its parentheses.
  const strength = STRENGTH[condition.kind]
  return `${part(condition.left, strength)} ${condition.kind === 'and' ? '&&' : '||'} ${part(condition.right, strength + 1)}`
}

export const formatOperand = (operand: Operand): string => (operand.kind === 'name' ? operand.name : formatLiteral(operand.value))

function formatLiteral(value: Literal): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return Object.is(value, -0) ? '-0' : String(value)
}
