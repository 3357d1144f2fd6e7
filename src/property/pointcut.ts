/** Pointcuts as seed 003 prints them: `(call(* Collection+.remove*(..)) || call(* Collection+.add*(..))) && target(c)`. From the tightest: `!`, `&&`, `||`. */
import { closest } from '../base/closest.ts'
import type { Condition, Position } from './ast.ts'
import { moreNotLast, negatedPointcut, tooDeep, unknownWord } from './errors.ts'
import { ConditionParser } from './parse-condition.ts'
import { DEEPEST } from './parse-pattern.ts'
import { Stop, type Scanner } from './scan.ts'
import { readField, readMethod, readType, type Signature } from './signature.ts'

export type Pointcut = Group | Primitive

export interface Group {
  readonly kind: 'and' | 'or'
  readonly parts: readonly Pointcut[]
  readonly at: Position
}

export type Primitive = { readonly at: Position } & (
  | { readonly kind: 'call' | 'execution' | 'get' | 'set'; readonly signature: Signature; /** Of a call alone. */ readonly not?: boolean }
  | { readonly kind: 'target'; readonly word: Word }
  | { readonly kind: 'args'; readonly words: readonly Word[]; readonly more: boolean }
  | { readonly kind: 'if'; readonly condition: Condition }
)

/** What an advice declares, or a type; `*` is anything. */
export interface Word {
  readonly text: string
  readonly at: Position
}

const PRIMITIVES = ['call', 'execution', 'get', 'set', 'target', 'args', 'if'] as const

export class PointcutParser {
  readonly conditions: ConditionParser

  constructor(
    private readonly scanner: Scanner,
    positions: Map<object, Position>,
  ) {
    this.conditions = new ConditionParser(scanner, positions, true)
  }

  either(depth = 0): Pointcut {
    return this.several('or', '||', () => this.several('and', '&&', () => this.negated(depth)))
  }

  private several(kind: 'and' | 'or', sign: string, next: () => Pointcut): Pointcut {
    const at = this.scanner.position()
    const parts = [next()]
    while (this.scanner.accept(sign)) parts.push(next())
    return parts.length === 1 ? parts[0]! : { kind, parts, at }
  }

  private negated(depth: number): Pointcut {
    const { scanner } = this
    const at = scanner.position()
    if (depth > DEEPEST) throw new Stop(tooDeep(at, DEEPEST))
    if (scanner.accept('!')) return this.not(this.negated(depth + 1), at)
    if (!scanner.accept('(')) return this.primitive()
    const inner = this.either(depth + 1)
    scanner.expect(')')
    return inner
  }

  /** `!(a || b)` is `!a && !b`. */
  private not(inner: Pointcut, at: Position): Pointcut {
    if ('parts' in inner)
      return { ...inner, kind: inner.kind === 'and' ? 'or' : 'and', parts: inner.parts.map((part) => this.not(part, at)) }
    if (inner.kind === 'call') return { ...inner, not: !inner.not }
    if (inner.kind !== 'if') throw new Stop(negatedPointcut(at, `${inner.kind}(…)`))
    return { ...inner, condition: this.conditions.made({ kind: 'not', inner: inner.condition }) }
  }

  private primitive(): Primitive {
    const { scanner } = this
    const at = scanner.position()
    const kind = scanner.anyWord(`one of ${PRIMITIVES.join(', ')}`) as Primitive['kind']
    if (!PRIMITIVES.includes(kind)) throw new Stop(unknownWord(at, 'pointcut that is read', kind, closest(kind, PRIMITIVES), PRIMITIVES))
    scanner.expect('(')
    const made = this.inside(kind, at)
    scanner.expect(')')
    return made
  }

  private inside(kind: Primitive['kind'], at: Position): Primitive {
    const { scanner } = this
    switch (kind) {
      case 'call':
      case 'execution':
        return { kind, signature: readMethod(scanner), at }
      case 'get':
      case 'set':
        return { kind, signature: readField(scanner), at }
      case 'target':
        return { kind, word: this.word(), at }
      case 'args':
        return { kind, ...this.words(), at }
      case 'if':
        return { kind, condition: this.conditions.either(0), at }
    }
  }

  private words(): { words: Word[]; more: boolean } {
    const { scanner } = this
    const words: Word[] = []
    if (scanner.symbol() === ')') return { words, more: false }
    do {
      if (scanner.accept('..')) {
        if (scanner.symbol() === ',') throw new Stop(moreNotLast(scanner.position()))
        return { words, more: true }
      }
      words.push(this.word())
    } while (scanner.accept(','))
    return { words, more: false }
  }

  private word(): Word {
    const at = this.scanner.position()
    return { text: readType(this.scanner, 'a name or a type'), at }
  }
}
