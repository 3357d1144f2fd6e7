/** Conditions: what stands in `if(…)`. With `java`, as an advice has it: `sql.contains(table)`, `a.equals(b)`, a truth value by itself. */
import { closest } from '../base/closest.ts'
import type { Comparison, Condition, Literal, Operand, Position } from './ast.ts'
import { conditionNeedsComparison, conditionNotRead, tooDeep, unknownWord } from './errors.ts'
import { DEEPEST } from './parse-pattern.ts'
import { Stop, type Scanner } from './scan.ts'

export const COMPARISONS: readonly Comparison[] = ['==', '!=', '<=', '>=', '<', '>', 'contains', 'startsWith', 'endsWith', 'matches']
const LITERALS: Readonly<Record<string, Literal>> = { true: true, false: false, null: null, undefined }

/** Methods of Java's String and Object that are comparisons here. */
const METHODS: Readonly<Record<string, Comparison>> = { contains: 'contains', startsWith: 'startsWith', endsWith: 'endsWith', equals: '==' }
const SIGNS: readonly string[] = ['==', '!=', '<=', '>=', '<', '>']
const DOT = /\.(?!\.)/y

type Positions = Map<object, Position>

export function nameOrLiteral(scanner: Scanner, positions: Positions, what: string): Operand {
  const at = scanner.position()
  const text = scanner.quoted() ?? scanner.number()
  if (text !== undefined) return { kind: 'literal', value: text }
  const word = scanner.word()
  if (word !== undefined && Object.hasOwn(LITERALS, word)) {
    scanner.acceptWord(word)
    return { kind: 'literal', value: LITERALS[word] }
  }
  const name: Operand = { kind: 'name', name: scanner.name(what) }
  positions.set(name, at)
  return name
}

export class ConditionParser {
  private readonly heights = new Map<Condition, number>()

  constructor(
    private readonly scanner: Scanner,
    private readonly positions: Positions,
    private readonly java = false,
  ) {}

  either(depth: number): Condition {
    let left = this.both(depth)
    while (this.scanner.accept('||')) left = this.made({ kind: 'or', left, right: this.both(depth) })
    return left
  }

  private both(depth: number): Condition {
    let left = this.negated(depth)
    while (this.scanner.accept('&&')) left = this.made({ kind: 'and', left, right: this.negated(depth) })
    return left
  }

  private negated(depth: number): Condition {
    const { scanner } = this
    if (depth > DEEPEST) throw new Stop(tooDeep(scanner.position(), DEEPEST))
    if (scanner.accept('!')) return this.made({ kind: 'not', inner: this.negated(depth + 1) })
    if (!scanner.accept('(')) return this.comparison()
    const inner = this.either(depth + 1)
    scanner.expect(')')
    return inner
  }

  private comparison(): Condition {
    const { scanner, positions } = this
    const left = nameOrLiteral(scanner, positions, 'a name or a value')
    const at = scanner.position()
    if (this.java) return this.javaComparison(left, at)
    const how = (scanner.symbol() ?? scanner.word()) as Comparison | undefined
    if (how === undefined || how === (')' as string)) throw new Stop(conditionNeedsComparison(at, COMPARISONS))
    if (!COMPARISONS.includes(how)) throw new Stop(unknownWord(at, 'comparison', how, closest(how, COMPARISONS), COMPARISONS))
    if (!scanner.accept(how)) scanner.acceptWord(how)
    return this.made({ kind: 'compare', how, left, right: nameOrLiteral(scanner, positions, 'a name or a value') })
  }

  /** What an expression of Java may say beside this has no meaning for recorded values. */
  private javaComparison(left: Operand, at: Position): Condition {
    const { scanner, positions } = this
    const operand = (): Operand => nameOrLiteral(scanner, positions, 'a name or a value')
    const sign = scanner.symbol()
    let how: Comparison = '=='
    let right: Operand = { kind: 'literal', value: true }
    if (scanner.piece(DOT) !== undefined) {
      const method = scanner.word() ?? ''
      if (!Object.hasOwn(METHODS, method)) throw new Stop(conditionNotRead(at))
      how = METHODS[method]!
      scanner.acceptWord(method)
      scanner.expect('(')
      right = operand()
      scanner.expect(')')
    } else if (sign !== undefined && SIGNS.includes(sign)) {
      how = sign as Comparison
      scanner.accept(sign)
      right = operand()
    }
    const next = scanner.symbol()
    if (next !== ')' && next !== '&&' && next !== '||') throw new Stop(conditionNotRead(scanner.position()))
    return this.made({ kind: 'compare', how, left, right })
  }

  /** A chain of && is deep on its left. */
  made(condition: Condition): Condition {
    const inside = condition.kind === 'compare' ? [] : condition.kind === 'not' ? [condition.inner] : [condition.left, condition.right]
    const height = 1 + inside.reduce((most, part) => Math.max(most, this.heights.get(part)!), 0)
    if (height > DEEPEST) throw new Stop(tooDeep(this.scanner.position(), DEEPEST))
    this.heights.set(condition, height)
    return condition
  }
}
