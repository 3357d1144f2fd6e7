/** Text in lines of a given width, and small helpers for lines. */
import { columns, unitsIn } from './escape.ts'

/** Breaks at spaces, and words that are longer than a line anywhere, into at most `most` lines; the last may be cut. */
export function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const whole of text.split(' ')) {
    let word = whole
    if (line !== '' && columns(line) + 1 + columns(word) > width) {
      lines.push(line)
      line = ''
    } else if (line !== '') word = `${line} ${word}`
    while (columns(word) > width) {
      const fits = Math.max(1, unitsIn(word, width))
      lines.push(word.slice(0, fits))
      word = word.slice(fits)
    }
    line = word
  }
  lines.push(line)
  return shortened(lines, width, most)
}

/** The first `most` lines of a text, with a sign where some are missing. */
export function shortened(lines: readonly string[], width: number, most: number): string[] {
  if (lines.length <= most) return [...lines]
  const last = lines[most - 1] ?? ''
  return [...lines.slice(0, Math.max(0, most - 1)), `${last.slice(0, unitsIn(last, width - 2))} …`]
}

export const shellWord = (text: string): string => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

export const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
