/** Patterns. From the tightest: `? * +`, `!`, one after the other, `&`, `|`, `||`. */
import type { Pattern, Position } from './ast.ts'
import { groupAsAttribute, secondParallel, tooDeep, tooManyParts } from './errors.ts'
import { Stop, isReserved, type Scanner } from './scan.ts'

/** Whoever walks over a pattern may call itself: nothing is deeper than this. */
export const DEEPEST = 100
export const MOST_PARTS = 10_000

/** Also as seed 003 names them. */
const SIGNS = [
  ['|', '∨'],
  ['&', '∧'],
] as const

type Positions = Map<object, Position>

export function parsePattern(scanner: Scanner, positions: Positions): Pattern {
  return new PatternParser(scanner, positions).parallel(0)
}

class PatternParser {
  private parts = 0
  private readonly heights = new Map<Pattern, number>()

  constructor(
    private readonly scanner: Scanner,
    private readonly positions: Positions,
  ) {}

  parallel(depth: number): Pattern {
    const { scanner } = this
    if (depth > DEEPEST) throw new Stop(tooDeep(scanner.position(), DEEPEST))
    const left = this.several(depth, 0)
    const at = scanner.position()
    if (!scanner.accept('||')) return left
    const right = this.several(depth, 0)
    if (scanner.symbol() === '||') throw new Stop(secondParallel(scanner.position()))
    return this.made({ kind: 'parallel', left, right }, at, [left, right])
  }

  /** Level 0 is a choice, 1 both in any order, 2 a sequence. */
  private several(depth: number, level: 0 | 1 | 2): Pattern {
    const { scanner } = this
    const at = scanner.position()
    const next = (): Pattern => (level === 2 ? this.negated(depth) : this.several(depth, level === 0 ? 1 : 2))
    const parts = [next()]
    while (level === 2 ? this.goesOn() : SIGNS[level].some((sign) => scanner.accept(sign))) parts.push(next())
    if (parts.length === 1) return parts[0]!
    return this.made({ kind: (['choice', 'both', 'sequence'] as const)[level], parts }, at, parts)
  }

  /** A word with a colon begins the next clause, and so do the words that are no names. */
  private goesOn(): boolean {
    const { scanner } = this
    const symbol = scanner.symbol()
    if (symbol !== undefined) return symbol === '(' || symbol === '!'
    const word = scanner.word()
    return word !== undefined && !isReserved(word) && scanner.wordWithColon() === undefined
  }

  private negated(depth: number): Pattern {
    const { scanner } = this
    if (depth > DEEPEST) throw new Stop(tooDeep(scanner.position(), DEEPEST))
    const at = scanner.position()
    if (!scanner.accept('!')) return this.repeated(depth)
    const inner = this.negated(depth + 1)
    return this.made({ kind: 'not', inner, at }, at, [inner])
  }

  private repeated(depth: number): Pattern {
    const { scanner } = this
    const at = scanner.position()
    let inner = this.single(depth)
    for (;;) {
      const how = scanner.symbol()
      if (how !== '?' && how !== '*' && how !== '+') return inner
      scanner.accept(how)
      inner = this.made({ kind: 'repeat', how, inner }, at, [inner])
    }
  }

  private single(depth: number): Pattern {
    const { scanner } = this
    if (scanner.accept('(')) {
      const inner = this.parallel(depth + 1)
      scanner.expect(')')
      return inner
    }
    const at = scanner.position()
    const name = scanner.name('an event')
    const event: Attributed = { kind: 'event', name, at }
    // After a blank a parenthesis is a group: `a (b c)`.
    if (scanner.adjoins && scanner.symbol() === '(') this.attributes(event)
    return this.made(event, at, [])
  }

  /** `(t1)`, `(<r1)`, `(t1,<r1)` or `(t1,>r1)`. */
  private attributes(event: Attributed): void {
    const { scanner } = this
    scanner.expect('(')
    const at = scanner.position()
    if (scanner.word() !== undefined) event.task = scanner.name('a task')
    if (event.task === undefined || scanner.accept(',')) {
      const edge = scanner.accept('<') ? 'begin' : scanner.accept('>') ? 'end' : undefined
      if (edge === undefined) throw new Stop(groupAsAttribute(at, event.name))
      event.region = { edge, name: scanner.name('the name of a region') }
    }
    if (!scanner.accept(')')) throw new Stop(groupAsAttribute(at, event.name))
  }

  private made<P extends Pattern>(pattern: P, at: Position, inside: readonly Pattern[]): P {
    if (++this.parts > MOST_PARTS) throw new Stop(tooManyParts(at, MOST_PARTS))
    const height = 1 + inside.reduce((most, part) => Math.max(most, this.heights.get(part)!), 0)
    if (height > DEEPEST) throw new Stop(tooDeep(at, DEEPEST))
    this.heights.set(pattern, height)
    this.positions.set(pattern, at)
    return pattern
  }
}

interface Attributed {
  readonly kind: 'event'
  readonly name: string
  task?: string
  region?: { readonly edge: 'begin' | 'end'; readonly name: string }
  readonly at: Position
}
