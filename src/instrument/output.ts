/**
 * The text being written: pieces of the source, copied in order, and pieces of our own between them. Nothing of ours contains a line break
 * and no line break of the source is left out, so every line keeps its number.
 */
import type { Piece } from './mappings.ts'
import { lineAt } from './sites.ts'

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

  /** The column of the source for a column of the text (both from 1) in the same line: for stack traces of the text. */
  column(lineStarts: readonly number[], line: number, column: number): number {
    const start = lineStarts[line - 1]
    if (start === undefined) return column
    let piece = this.#pieces.length - 1
    while (piece > 0 && (this.#from[piece] === -1 || this.#from[piece]! > start)) piece--
    // What stands between a line break and the line's first character is ours, and in this line.
    if (this.#from[piece] === start) while (piece > 0 && this.#from[piece - 1] === -1) piece--
    let rest = column - 1
    let found = start
    if (line === 1) piece = 0
    for (let i = piece; i < this.#pieces.length; i++) {
      const from = this.#from[i]!
      const length = this.#pieces[i]!.length - (from !== -1 && from < start ? start - from : 0)
      if (from !== -1) {
        found = Math.max(from, start)
        if (rest < length) return Math.min(found + rest, this.source.length) - start + 1
        found += length
        if (lineAt(lineStarts, found) > line - 1) break
      } else if (rest < length) break
      rest -= length
    }
    return Math.max(1, Math.min(found, (lineStarts[line] ?? this.source.length + 1) - 1) - start + 1)
  }
}
