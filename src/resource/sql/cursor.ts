/** Walks the tokens of one statement. A reader that cannot continue throws NotRead; the statement then accesses everything. */
import type { Token } from './tokens.ts'

export class NotRead extends Error {}

const END: Token = { kind: 'punct', text: '', upper: '', begin: 0, end: 0 }
/** Statements of people and of programs stay far below. */
const DEEPEST = 150

export class Cursor {
  private at = 0
  private depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  get atEnd(): boolean {
    return this.at >= this.tokens.length
  }

  get place(): number {
    return this.at
  }

  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? END
  }

  next(): Token {
    const token = this.tokens[this.at]
    if (!token) throw new NotRead()
    this.at++
    return token
  }

  /** Back to a place it has been at. */
  back(place: number): void {
    this.at = place
  }

  /** Is the next piece this word (not quoted), or this sign? */
  is(upper: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.upper === upper && (token.kind === 'word' || token.kind === 'punct' || token.kind === 'op')
  }

  isAny(uppers: ReadonlySet<string>): boolean {
    const token = this.peek()
    return token.kind === 'word' && uppers.has(token.upper)
  }

  accept(...uppers: readonly string[]): boolean {
    for (const [i, upper] of uppers.entries()) if (!this.is(upper, i)) return false
    this.at += uppers.length
    return true
  }

  acceptAny(uppers: ReadonlySet<string>): boolean {
    if (!this.isAny(uppers)) return false
    this.at++
    return true
  }

  expect(upper: string): void {
    if (!this.accept(upper)) throw new NotRead()
  }

  /** A name somebody chose. */
  get isName(): boolean {
    const { kind } = this.peek()
    return kind === 'word' || kind === 'quoted'
  }

  /** Everything up to the end of the statement. */
  skipRest(): void {
    this.at = this.tokens.length
  }

  /** Up to the parenthesis that closes the one that comes next. */
  skipParens(): void {
    this.expect('(')
    for (let open = 1; open > 0;) {
      const { kind, text } = this.next()
      if (kind === 'punct') open += text === '(' ? 1 : text === ')' ? -1 : 0
    }
  }

  deeper<T>(work: () => T): T {
    if (++this.depth > DEEPEST) throw new NotRead()
    const value = work()
    this.depth--
    return value
  }
}
