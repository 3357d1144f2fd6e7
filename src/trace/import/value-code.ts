/** The code of a value written in a file. Files are untrusted, so this must be linear in the text. */
import { parseValue, type Values } from '../values.ts'

/** Longer than any number is written; longer texts skip parseValue's number pattern, which is quadratic on digits followed by a letter. */
const LONGEST_NUMBER = 400

export function valueCode(values: Values, text: string): number {
  if (text.length > LONGEST_NUMBER && !text.startsWith('"') && !/^-?\d+n$/.test(text)) {
    return values.codeOf({ object: text.startsWith('#') ? text.slice(1) : text })
  }
  return values.codeOf(parseValue(text))
}
