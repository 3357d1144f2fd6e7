/** Every text of a picture, once. */
import type { StringIndex } from './picture.ts'

/** What a program calls its things may be long; call chains are, too. */
const LONGEST = 2000

export class Strings {
  readonly texts: string[] = []
  private readonly indexes = new Map<string, StringIndex>()

  /** -1 for the empty text. */
  of(text: string): StringIndex {
    if (text === '') return -1
    const short = text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
    let index = this.indexes.get(short)
    if (index === undefined) {
      index = this.texts.length
      this.indexes.set(short, index)
      this.texts.push(short)
    }
    return index
  }
}
