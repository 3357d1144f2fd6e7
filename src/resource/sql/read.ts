/**
 * Reads SQL: which rows of which tables a statement reads and changes, and which locks and transactions it affects. Each text is parsed once; each
 * further use is a lookup and fills in the parameters. Nothing here throws: a statement that cannot be read accesses everything.
 */
import { EVERYTHING, type Reading, type Touch } from '../reading.ts'
import type { Dialect } from '../dialect.ts'
import { Catalogue } from './catalogue.ts'
import { Cursor, NotRead } from './cursor.ts'
import { fillLock, fillTouch, lockNames, paramOf, type Params } from '../fill.ts'
import { readQuery } from './query.ts'
import { readStatement } from './statement.ts'
import { emptyTemplate, type Template } from '../template.ts'
import { tokens, type Token } from './tokens.ts'

interface Known {
  readonly template: Template
  readonly title: string
  /** Of the catalogue when it was read. */
  readonly version: number
}

const MOST_TEXTS = 2000
/** Longer ones are loads of data. */
const LONGEST = 200_000

/** One database: its texts and what they said about its tables. */
export class SqlReader {
  private readonly texts = new Map<string, Known>()
  readonly catalogue = new Catalogue()
  private readonly uniqueOf = (whole: string): readonly (readonly string[])[] => this.catalogue.table(whole)?.unique ?? []

  constructor(readonly dialect: Dialect) {}

  read(text: string, params?: Params): Reading {
    try {
      // SQLite's clients take a list for their arguments.
      const spread = this.dialect === 'sqlite' && Array.isArray(params) && params.length === 1 && Array.isArray(params[0])
      return this.filled(this.known(text), spread ? (params[0] as unknown[]) : params, 0)
    } catch {
      // Parameters may have getters that throw, and nesting may be too deep.
      return unread(titleOf(text))
    }
  }

  private known(text: string): Known {
    let known = this.texts.get(text)
    if (known?.version === this.catalogue.version) return known
    const template = this.template(text)
    known = { template, title: titleOf(text), version: this.catalogue.version }
    if (this.texts.size >= MOST_TEXTS) this.texts.delete(this.texts.keys().next().value!)
    this.texts.set(text, known)
    return known
  }

  private template(text: string): Template {
    const found = emptyTemplate()
    const pieces = text.length > LONGEST ? undefined : tokens(this.dialect, text)
    if (!pieces) return { ...found, understood: false }
    for (const part of statementsOf(pieces)) this.readOne(text, part, found)
    return found
  }

  private readOne(text: string, pieces: readonly Token[], found: Template): void {
    const cursor = new Cursor(pieces)
    const before = found.transaction
    try {
      const { dialect, catalogue } = this
      readStatement({ dialect, cursor, catalogue, found, withs: new Set(), query: readQuery, statement: readStatement }, undefined, text)
      if (!cursor.atEnd) found.understood = false
    } catch (error) {
      if (!(error instanceof NotRead) && !(error instanceof RangeError)) throw error
      found.understood = false
    }
    // BEGIN; …; COMMIT in one text: nothing is left open.
    if (before === 'begin' && (found.transaction === 'commit' || found.transaction === 'rollback')) found.transaction = undefined
  }

  private filled({ template, title }: Known, params: Params, depth: number): Reading {
    const { execute, transaction, isolation, session, understood } = template
    if (execute) {
      const text = this.catalogue.preparedText(execute.name)
      if (text === undefined || depth > 3) return unread(title)
      const operands = execute.operands.map((operand) => (operand?.kind === 'param' ? paramOf(operand.key, params) : operand?.text))
      return { ...this.filled(this.known(text), operands, depth + 1), title }
    }
    const touches = template.touches.flatMap((touch) => fillTouch(touch, params, this.uniqueOf))
    const locks = template.locks.flatMap((lock) => fillLock(lock, params, this.uniqueOf))
    const unlocks = template.unlocks.flatMap(({ of, operands }) => lockNames(of, operands, params, this.uniqueOf))
    return {
      touches: understood ? touches : [...touches, WHOLE],
      ...(transaction ? { transaction } : {}),
      ...(isolation ? { isolation } : {}),
      ...(session ? { session } : {}),
      ...(locks.length > 0 ? { locks } : {}),
      ...(unlocks.length > 0 ? { unlocks } : {}),
      understood,
      title,
    }
  }
}

const WHOLE: Touch = { whole: EVERYTHING, access: 'update' }

const unread = (title: string): Reading => ({ touches: [WHOLE], understood: false, title })

function statementsOf(pieces: readonly Token[]): Token[][] {
  const all: Token[][] = [[]]
  for (const piece of pieces)
    if (piece.kind === 'punct' && piece.text === ';') all.push([])
    else all.at(-1)!.push(piece)
  return all.filter((some) => some.length > 0)
}

const WIDEST = 60

/** The statement in one line, cut. */
function titleOf(text: string): string {
  const line = text
    .slice(0, 4 * WIDEST)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > WIDEST || text.length > 4 * WIDEST ? `${line.slice(0, WIDEST).trimEnd()} …` : line
}

const readers = new Map<Dialect, SqlReader>()

/** With what the statements of this process have said so far about their database. */
export function readSql(dialect: Dialect, text: string, params?: Params): Reading {
  let reader = readers.get(dialect)
  if (!reader) readers.set(dialect, (reader = new SqlReader(dialect)))
  return reader.read(text, params)
}
