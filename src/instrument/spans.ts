/**
 * The pieces of an instrumented text by their lengths and where each was copied from: enough to translate columns of stack traces, and small enough to be kept beside the text. As text:
 * for a piece of ours its length below zero; for a copied one its length, then how much of the source was left out before it.
 */
import { digits, lineAt, numbersOf } from './sites.ts'

export class Spans {
  /** `from`: -1 for pieces that are ours. */
  constructor(
    private readonly lengths: readonly number[],
    private readonly from: readonly number[],
    private readonly sourceLength: number,
  ) {}

  static decode(encoded: string, sourceLength: number): Spans {
    const lengths: number[] = []
    const from: number[] = []
    const numbers = numbersOf(encoded)
    for (let i = 0, at = 0; i < numbers.length; i++) {
      const length = numbers[i]!
      lengths.push(Math.abs(length))
      if (length > 0) at += numbers[++i]!
      from.push(length < 0 ? -1 : at)
      if (length > 0) at += length
    }
    return new Spans(lengths, from, sourceLength)
  }

  encode(): string {
    let text = ''
    let at = 0
    for (let i = 0; i < this.lengths.length; i++) {
      const length = this.lengths[i]!
      const from = this.from[i]!
      if (length === 0) continue
      text += from === -1 ? digits(-length) : digits(length) + digits(from - at)
      if (from !== -1) at = from + length
    }
    return text
  }

  /** The column of the source for a column of the text (both from 1) in the same line. */
  column(lineStarts: readonly number[], line: number, column: number): number {
    const { lengths, from } = this
    const start = lineStarts[line - 1]
    if (start === undefined) return column
    let piece = lengths.length - 1
    while (piece > 0 && (from[piece] === -1 || from[piece]! > start)) piece--
    // What stands between a line break and the line's first character is ours, and in this line.
    if (from[piece] === start) while (piece > 0 && from[piece - 1] === -1) piece--
    let rest = column - 1
    let found = start
    if (line === 1) piece = 0
    for (let i = piece; i < lengths.length; i++) {
      const length = lengths[i]! - (from[i] !== -1 && from[i]! < start ? start - from[i]! : 0)
      if (from[i] !== -1) {
        found = Math.max(from[i]!, start)
        if (rest < length) return Math.min(found + rest, this.sourceLength) - start + 1
        found += length
        if (lineAt(lineStarts, found) > line - 1) break
      } else if (rest < length) break
      rest -= length
    }
    return Math.max(1, Math.min(found, (lineStarts[line] ?? this.sourceLength + 1) - 1) - start + 1)
  }
}
