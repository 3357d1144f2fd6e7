/**
 * The text being written: pieces of the source, copied in order, and pieces of our own between them. Nothing of ours contains a line break
 * and no line break of the source is left out, so every line keeps its number.
 */
import type { Piece } from './mappings.ts'
import { Spans } from './spans.ts'

const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 36 || code === 95 || code > 127

export class Output {
  readonly source: string
  /** Offset in the source up to which everything is written. */
  at = 0
  readonly #pieces: string[] = []
  /** For each piece where in the source it starts; -1 for ours. */
  readonly #from: number[] = []

  constructor(source: string) {
    this.source = source
  }

  /** Copies the source up to an offset. */
  copy(to: number): void {
    if (to <= this.at) return
    this.#from.push(this.at)
    this.#pieces.push(this.source.slice(this.at, to))
    this.at = to
  }

  put(text: string): void {
    this.#from.push(-1)
    this.#pieces.push(text)
  }

  /** Puts text that begins like a name, where something that ends like one may stand before: `return(a).b`. */
  open(text: string): void {
    let i = this.#pieces.length - 1
    while (i >= 0 && this.#pieces[i] === '') i--
    const last = i < 0 ? '' : this.#pieces[i]!
    this.put(last !== '' && isNamePart(last.charCodeAt(last.length - 1)) ? ` ${text}` : text)
  }

  /** Leaves out the source up to an offset: operators and brackets that are written in another form. */
  drop(to: number): void {
    this.at = to
  }

  /** A place for text that is known later: returns its number for `fill`. */
  reserve(): number {
    this.put('')
    return this.#pieces.length - 1
  }

  fill(place: number, text: string): void {
    this.#pieces[place] = text
  }

  /** The number the next piece will get, for `startsWithParenthesis`. */
  get length(): number {
    return this.#pieces.length
  }

  /** Does our own text that begins at a piece begin with a parenthesis? After a line without a semicolon that would continue the line. */
  startsWithParenthesis(piece: number): boolean {
    while (piece < this.#pieces.length && this.#pieces[piece] === '') piece++
    return piece < this.#pieces.length && this.#from[piece] === -1 && this.#pieces[piece]!.startsWith('(')
  }

  /** All of it, for a source map. */
  *all(): Iterable<Piece> {
    for (let i = 0; i < this.#pieces.length; i++) yield { text: this.#pieces[i]!, from: this.#from[i]! }
  }

  text(): string {
    return this.#pieces.join('')
  }

  /** For stack traces of the text. */
  spans(): Spans {
    return new Spans(
      this.#pieces.map((piece) => piece.length),
      this.#from,
      this.source.length,
    )
  }
}
