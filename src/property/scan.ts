/**
 * The letters of a property file, taken piece by piece. There is no list of tokens: what a piece is depends on where it stands (`*.add*` is a
 * name in `call(…)` and two operators in a pattern), so the parser asks for what fits. Comments are kept for the formatter.
 */
import { badNumber, badText, expected, notClosed, reservedName, singleQuotes } from './errors.ts'
import type { Position } from './ast.ts'
import type { Fault } from './faults.ts'

/** Ends the reading of a declaration. `whole`: and of the file, for nothing after it can be told apart. */
export class Stop extends Error {
  constructor(
    readonly fault: Fault,
    readonly whole = false,
  ) {
    super(fault.fact)
  }
}

export interface Comment {
  readonly begin: number
  readonly end: number
}

/** With these a clause or a declaration begins, wherever they stand. So they are no names. */
const BEGINNINGS = new Set(['property', 'typestate', 'event', 'says'])
const VALUES = new Set(['true', 'false', 'null', 'undefined'])

export const isReserved = (word: string): boolean => BEGINNINGS.has(word) || VALUES.has(word)

const BLANK = /\s+/y
const COMMENT = /\/\/[^\r\n]*|\/\*/y
const NAME = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy
const TEXT = /"(?:[^"\\\r\n]|\\.)*"/y
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Longest first. */
const SYMBOL = /\|\||&&|==|!=|<=|>=|->|\.\.|[(){}|&!?*+,:<>∨∧]/y
/** A name with wildcards: up to a blank, a bar or a parenthesis. What begins like a text or a comment is one. */
const GLOB = /[^\s|()"][^\s|()]*/y

/** `!` before the name of a call is a sign. */
export const isBareGlob = (text: string): boolean => /^[^\s|()"!][^\s|()]*$/.test(text) && !/^\/[/*]/.test(text)
export const isName = (text: string): boolean => /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(text) && !isReserved(text)

export class Scanner {
  /** Where the next piece begins: blanks and comments are skipped after each piece. */
  offset = 0
  /** Where the last piece taken ended. */
  end = 0
  readonly comments: Comment[] = []
  /** Pieces looked at. Tests hold it against the length of the text. */
  steps = 0
  private readonly lineBegins: number[] = [0]

  /** `page` has the grammar. */
  constructor(
    readonly text: string,
    private readonly page = 'docs/property-language.md',
  ) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.lineBegins.push(at + 1)
    this.skip()
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length
  }

  position(offset = this.offset): Position {
    let [low, high] = [0, this.lineBegins.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.lineBegins[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.lineBegins[low]! + 1, offset }
  }

  /** The word that comes next, not taken. */
  word(): string | undefined {
    return this.look(NAME)
  }

  /** The symbol that comes next, not taken. */
  symbol(): string | undefined {
    return this.look(SYMBOL)
  }

  /** Does a colon follow the word that comes next? Then it begins a clause or a state. */
  wordWithColon(): string | undefined {
    const word = this.word()
    if (word === undefined) return undefined
    const begin = this.offset
    this.skip(begin + word.length)
    const colon = this.text[this.offset] === ':'
    this.offset = begin
    return colon ? word : undefined
  }

  /** Does the next piece begin where the last one ended? */
  get adjoins(): boolean {
    return this.offset === this.end
  }

  acceptWord(word: string): boolean {
    if (this.word() !== word) return false
    this.take(word.length)
    return true
  }

  accept(symbol: string): boolean {
    if (this.symbol() !== symbol) return false
    this.take(symbol.length)
    return true
  }

  expect(symbol: string): void {
    if (!this.accept(symbol)) throw this.unexpected(symbol)
  }

  /** A name that somebody chose. */
  name(what: string): string {
    const word = this.word()
    if (word === undefined) throw this.unexpected(what)
    if (isReserved(word)) throw new Stop(reservedName(this.position(), word))
    this.take(word.length)
    return word
  }

  anyWord(what: string): string {
    const word = this.word()
    if (word === undefined) throw this.unexpected(what)
    this.take(word.length)
    return word
  }

  quoted(): string | undefined {
    const next = this.text[this.offset]
    if (next === "'") throw new Stop(singleQuotes(this.position()))
    if (next !== '"') return undefined
    const piece = this.look(TEXT)
    if (piece === undefined) throw new Stop(notClosed(this.position(), 'text', '"'))
    let value: string
    try {
      value = JSON.parse(piece.replaceAll('\t', '\\t')) as string
    } catch {
      throw new Stop(badText(this.position()))
    }
    this.take(piece.length)
    return value
  }

  number(): number | undefined {
    const piece = this.look(NUMBER)
    if (piece === undefined) return undefined
    const value = Number(piece)
    if (!Number.isFinite(value)) throw new Stop(badNumber(this.position(), piece))
    this.take(piece.length)
    return value
  }

  glob(): string | undefined {
    return this.quoted() ?? this.piece(GLOB)
  }

  /** What fits a form that only the caller knows, if it comes next; the form never fits an empty piece. */
  piece(form: RegExp): string | undefined {
    const piece = this.look(form)
    if (piece !== undefined) this.take(piece.length)
    return piece
  }

  unexpected(what: string): Stop {
    if (this.text[this.offset] === "'") return new Stop(singleQuotes(this.position()))
    return new Stop(expected(this.position(), what, this.found(), this.page))
  }

  private found(): string {
    if (this.atEnd) return 'the end of the text'
    const piece = this.word() ?? this.symbol() ?? String.fromCodePoint(this.text.codePointAt(this.offset)!)
    return piece.length > 40 ? `${piece.slice(0, 40)}…` : piece
  }

  private look(kind: RegExp): string | undefined {
    this.steps++
    kind.lastIndex = this.offset
    return kind.exec(this.text)?.[0]
  }

  private take(length: number): void {
    this.end = this.offset + length
    this.skip(this.end)
  }

  /** Goes on at the next declaration after a fault. */
  resume(offset: number): void {
    this.skip(offset)
  }

  private skip(from = 0): void {
    this.offset = from
    for (;;) {
      const begin = this.offset
      this.offset += this.look(BLANK)?.length ?? 0
      const comment = this.look(COMMENT)
      if (comment !== undefined) this.offset = this.comment(this.offset, comment)
      if (this.offset === begin) return
    }
  }

  private comment(begin: number, piece: string): number {
    let end = begin + piece.length
    if (piece === '/*') {
      const close = this.text.indexOf('*/', end)
      if (close < 0) throw new Stop(notClosed(this.position(begin), 'comment', '*/'), true)
      end = close + 2
    }
    // Looking ahead comes by twice.
    if (begin >= (this.comments.at(-1)?.end ?? 0)) this.comments.push({ begin, end })
    return end
  }
}
