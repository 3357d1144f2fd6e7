/**
 * Which comment belongs to which line of a property file, so that the formatter can keep them: what stands on lines of its own belongs to what
 * follows, what ends a line to what it ends. A comment inside a clause has no place to go.
 */
import { commentInside } from './errors.ts'
import type { Fault } from './faults.ts'
import type { ReadText } from './parse.ts'

export interface Around {
  /** Lines above; an empty one is a blank line. */
  readonly above: string[]
  /** At the end of the line. */
  readonly behind: string[]
}

/** By the keys of `Item`; what follows the last declaration is at `end`. */
export type Comments = ReadonlyMap<string, Around>

export function attachComments(text: string, read: ReadText): { comments: Comments; faults: Fault[] } {
  const found = new Map<string, Around>()
  const faults: Fault[] = []
  const around = (key: string): Around => {
    const known = found.get(key) ?? { above: [], behind: [] }
    found.set(key, known)
    return known
  }
  const { items, comments } = read
  let next = 0
  comments.forEach((comment, i) => {
    while (next < items.length && items[next]!.end <= comment.begin) next++
    const [before, after] = [items[next - 1], items[next]]
    const lineBegin = text.lastIndexOf('\n', comment.begin - 1) + 1
    const piece = text.slice(comment.begin, comment.end).trimEnd()
    const alone = text.slice(lineBegin, comment.begin).trim() === '' && /^\s*?(\r?\n|$)/.test(restOfLine(text, comment.end))
    if (after && after.begin < comment.begin) faults.push(commentInside(read.position(comment.begin)))
    else if (alone) {
      const { above } = around(after?.key ?? 'end')
      above.push(...unindented(piece, comment.begin - lineBegin))
      const following = Math.min(comments[i + 1]?.begin ?? text.length, after?.begin ?? text.length)
      if (/\n[^\S\n]*\r?\n/.test(text.slice(comment.end, following)) && following < text.length) above.push('')
    } else if (before && !/[\r\n]/.test(piece) && endsItsLine(text, before.end, comment.begin, comment.end, comments[i + 1]?.begin)) {
      around(before.key).behind.push(piece)
    } else faults.push(commentInside(read.position(comment.begin)))
  })
  return { comments: found, faults }
}

const restOfLine = (text: string, from: number): string => {
  const end = text.indexOf('\n', from)
  return text.slice(from, end < 0 ? text.length : end + 1)
}

/** On the line on which `before` ends, with nothing after it but another comment. */
function endsItsLine(text: string, before: number, begin: number, end: number, next: number | undefined): boolean {
  if (text.slice(before, begin).includes('\n')) return false
  const rest = restOfLine(text, end)
  const until = next !== undefined && next < end + rest.length ? text.slice(end, next) : rest
  return until.trim() === ''
}

/** The lines of a comment without the indent it had: it gets that of the formatter. */
function unindented(piece: string, indent: number): string[] {
  const lines = piece.split(/\r?\n/)
  return lines.map((line, i) => (i === 0 ? line : line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd()))
}
