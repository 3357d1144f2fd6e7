/**
 * Which place of an instrumented module comes from which place of its source, as the `mappings` of a source map: for tools that chain source
 * maps (Vite). Only names and the starts of our own pieces get an entry: what is between them is found from the entry before.
 */
import { digits, lineAt } from './sites.ts'

/** A piece of the code and where in the source it was copied from; -1 for pieces that are ours. */
export interface Piece {
  readonly text: string
  readonly from: number
}

export function mappingsOf(pieces: Iterable<Piece>, lineStarts: readonly number[]): string {
  let text = ''
  let column = 0
  /** Column of the last entry in this line of the code, and the source's place of the last entry. */
  let last = 0
  let first = true
  let line = 0
  let sourceColumn = 0
  const add = (at: number, offset: number): void => {
    const toLine = lineAt(lineStarts, offset)
    const toColumn = offset - lineStarts[toLine]!
    text += `${first ? '' : ','}${digits(at - last)}A${digits(toLine - line)}${digits(toColumn - sourceColumn)}`
    first = false
    last = at
    line = toLine
    sourceColumn = toColumn
  }
  let done = 0
  for (const piece of pieces) {
    if (piece.text === '') continue
    if (piece.from === -1) {
      add(column, done)
      column += piece.text.length
      continue
    }
    for (const { 0: token, index } of piece.text.matchAll(/\n|[\w$\u0080-\uffff]+|[^\w$\u0080-\uffff\s]+|[^\S\n]+/g)) {
      if (token === '\n') {
        text += ';'
        first = true
        last = column = 0
      } else {
        if (token.trim() !== '') add(column, piece.from + index)
        column += token.length
      }
    }
    done = piece.from + piece.text.length
  }
  return text
}
