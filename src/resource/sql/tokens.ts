/**
 * The tokens of a statement, by dialect: moo's lexers. What regular expressions cannot describe is done here: dollar quotes of PostgreSQL ($tag$ …
 * $tag$), and nested comments.
 */
import moo from 'moo'
import type { Dialect } from '../dialect.ts'

export type Kind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'number'
  /** A value whose letters do not tell it apart from others: escapes, bits, bytes. */
  | 'opaque'
  | 'param'
  | 'variable'
  | 'op'
  | 'punct'

export interface Token {
  readonly kind: Kind
  /** As it stands; of texts and quoted names without the quotes; of a parameter its name, or its index from 0 on. */
  readonly text: string
  /** Words in capitals, to compare with; else the same as `text`. */
  readonly upper: string
  readonly begin: number
  readonly end: number
}

const LETTER = 'A-Za-z_\\u0080-\\uffff'
const word = new RegExp(`[${LETTER}][${LETTER}\\d$]*`)
const BLANK = { match: /[\s\u00a0]+/, lineBreaks: true }
const PLAIN_STRING = { match: /[nNbBxX]?'[^']*(?:''[^']*)*'/, lineBreaks: true }
const BACKSLASH_STRING = { match: /[nNbBxX]?'(?:[^'\\]|\\[^]|'')*'/, lineBreaks: true }
const DOUBLE = { match: /"[^"]*(?:""[^"]*)*"/, lineBreaks: true }
const BACKTICK = { match: /`[^`]*(?:``[^`]*)*`/, lineBreaks: true }
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/
/** Longest first. Which one it is matters for comparisons alone. */
const OPERATOR =
  /<<->|<->>|<->|<#>|<\+>|<~>|<%>|<<%|%>>|%>|-\|-|@\?|&<|&>|\|\|\/|\|\/|\^@|::|:=|=>|<=>|->>|->|#>>|#>|#-|@>|<@|@@|<=|>=|<>|!=|==|\|\||&&|!~~\*|!~~|!~\*|!~|~~\*|~~|~\*|\?\||\?&|<<|>>|[-+*/<>=~!@#%^&|:?]/

const LEXERS: Record<Dialect, moo.Rules> = {
  postgres: {
    blank: BLANK,
    comment: /--[^\n]*/,
    open: '/*',
    dollar: new RegExp(`\\$(?:[${LETTER}][${LETTER}\\d]*)?\\$`),
    param: /\$\d+/,
    escaped: { match: /[eE]'(?:[^'\\]|\\[^]|'')*'/, lineBreaks: true },
    string: PLAIN_STRING,
    quoted: DOUBLE,
    number: NUMBER,
    word,
    punct: /[(),;.[\]{}]/,
    op: OPERATOR,
    error: moo.error,
  },
  mysql: {
    blank: BLANK,
    comment: /#[^\n]*|--(?=\s|$)[^\n]*/,
    open: '/*',
    variable: /@@?[\w.$]+|@'[^']*'|@`[^`]*`/,
    param: /\?|:[A-Za-z_]\w*/,
    slashed: BACKSLASH_STRING,
    doubled: { match: /"(?:[^"\\]|\\[^]|"")*"/, lineBreaks: true },
    quoted: BACKTICK,
    number: NUMBER,
    word,
    punct: /[(),;.[\]{}]/,
    op: OPERATOR,
    error: moo.error,
  },
  sqlite: {
    blank: BLANK,
    comment: /--[^\n]*/,
    open: '/*',
    param: /\?\d*|[:@$][A-Za-z_][\w:]*/,
    string: PLAIN_STRING,
    quoted: DOUBLE,
    backtick: BACKTICK,
    bracket: { match: /\[[^\]]*\]/, lineBreaks: true },
    number: NUMBER,
    word,
    punct: /[(),;.]/,
    op: OPERATOR,
    error: moo.error,
  },
}

const lexers = new Map<Dialect, moo.Lexer>()

/** Undefined: this is no text of the dialect, or something in it is not closed. */
export function tokens(dialect: Dialect, text: string): Token[] | undefined {
  let lexer = lexers.get(dialect)
  if (!lexer) lexers.set(dialect, (lexer = moo.compile(LEXERS[dialect])))
  const found: Token[] = []
  let base = 0
  let asked = 0
  lexer.reset(text)
  for (let piece = lexer.next(); piece; piece = lexer.next()) {
    const begin = base + piece.offset
    if (piece.type === 'error') return undefined
    if (piece.type === 'open' || piece.type === 'dollar') {
      const end = piece.type === 'open' ? commentEnd(dialect, text, begin) : closing(text, begin, piece.text)
      if (end === undefined) return undefined
      if (piece.type === 'dollar') {
        const inner = text.slice(begin + piece.text.length, end - piece.text.length)
        found.push({ kind: 'string', text: inner, upper: inner, begin, end })
      }
      lexer.reset(text.slice(end))
      base = end
    } else if (piece.type === 'param') {
      const name = piece.text.slice(1)
      const key = name === '' ? String(asked++) : /^\d/.test(name) ? String(Number(name) - 1) : name
      found.push({ kind: 'param', text: key, upper: key, begin, end: begin + piece.text.length })
    } else if (piece.type !== 'blank' && piece.type !== 'comment') found.push(tokenOf(piece, begin))
  }
  return found
}

function closing(text: string, begin: number, tag: string): number | undefined {
  const at = text.indexOf(tag, begin + tag.length)
  return at < 0 ? undefined : at + tag.length
}

const MARK = /\/\*|\*\//g

function commentEnd(dialect: Dialect, text: string, begin: number): number | undefined {
  // MySQL carries out what stands in such a comment.
  if (dialect === 'mysql' && /^\/\*M?!/.test(text.slice(begin, begin + 4))) return undefined
  if (dialect !== 'postgres') return closing(text, begin, '*/') ?? (dialect === 'sqlite' ? text.length : undefined)
  MARK.lastIndex = begin
  let depth = 0
  for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return MARK.lastIndex
  }
  return undefined
}

function tokenOf(piece: moo.Token, begin: number): Token {
  const { text, type } = piece
  const end = begin + text.length
  const token = (kind: Kind, inner: string, upper = inner): Token => ({ kind, text: inner, upper, begin, end })
  switch (type) {
    case 'word':
      return token('word', text, text.toUpperCase())
    case 'quoted':
    case 'backtick':
      return token('quoted', text.slice(1, -1).replaceAll(text[0]! + text[0]!, text[0]!))
    case 'bracket':
      return token('quoted', text.slice(1, -1))
    case 'escaped':
    case 'slashed':
    case 'doubled':
    case 'string': {
      const quote = text.at(-1)!
      const inner = text.slice(text.indexOf(quote) + 1, -1)
      if (/^[bBxX]/.test(text) || (type !== 'string' && inner.includes('\\'))) return token('opaque', text)
      return token('string', inner.replaceAll(quote + quote, quote))
    }
    default:
      return token(type as Kind, text)
  }
}
