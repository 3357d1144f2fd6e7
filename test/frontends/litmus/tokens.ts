/** Words, numbers and signs of a little program, each with its position. A line that begins with `#`, and what follows a `#`, is a comment. */
import { badCharacter } from './errors.ts'
import type { Position } from './syntax.ts'

export interface Token {
  readonly kind: 'word' | 'number' | 'sign' | 'break' | 'end'
  readonly text: string
  readonly at: Position
  /** Where it stands in the text. */
  readonly offset: number
}

const TOKEN = /[A-Za-z_]\w*|\d+|==|!=|<=|>=|&&|\|\||[-=<>+*(){}:,;.]/y

/** A line break or `;` ends a statement; several are one. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let begin = 0
  const put = (kind: Token['kind'], word: string, offset: number): void => {
    if (kind === 'break' && (tokens.length === 0 || tokens.at(-1)!.kind === 'break')) return
    tokens.push({ kind, text: word, at: { line, column: offset - begin + 1 }, offset })
  }
  for (let i = 0; i < text.length;) {
    const char = text[i]!
    if (char === '#') {
      while (i < text.length && text[i] !== '\n') i++
      continue
    }
    if (char === '\n' || char === ';') put('break', char, i)
    if (char === '\n') begin = ++i
    if (char === '\n') line++
    if (char === '\n') continue
    if (/\s|;/.test(char)) {
      i++
      continue
    }
    TOKEN.lastIndex = i
    const found = TOKEN.exec(text)
    if (!found) throw badCharacter({ line, column: i - begin + 1 }, char)
    put(/^\d/.test(found[0]) ? 'number' : /^\w/.test(found[0]) ? 'word' : 'sign', found[0], i)
    i += found[0].length
  }
  put('break', '', text.length)
  tokens.push({ kind: 'end', text: '', at: { line, column: text.length - begin + 1 }, offset: text.length })
  return tokens
}
