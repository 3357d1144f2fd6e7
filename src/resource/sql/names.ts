/** Names of tables and columns, in the normal form in which they are compared. */
import type { Dialect } from '../dialect.ts'
import { NotRead } from './cursor.ts'
import type { Context } from './scope.ts'
import type { Token } from './tokens.ts'

/** `a`, `a.b`, `"A".b`; a dot that a star follows is left. */
export function dotted({ dialect, cursor }: Pick<Context, 'dialect' | 'cursor'>): string[] {
  const names: string[] = []
  do {
    if (!cursor.isName) throw new NotRead()
    names.push(folded(dialect, cursor.next()))
  } while (cursor.is('.') && !cursor.is('*', 1) && cursor.accept('.'))
  return names
}

/** PostgreSQL folds what is not quoted, SQLite compares without case, MySQL keeps tables as they are written. */
function folded(dialect: Dialect, { kind, text }: Token): string {
  if (dialect === 'sqlite') return text.toLowerCase()
  return dialect === 'postgres' && kind === 'word' ? text.toLowerCase() : text
}

/** Columns of MySQL have no case. */
export const columnName = ({ dialect }: Pick<Context, 'dialect'>, name: string): string => (dialect === 'mysql' ? name.toLowerCase() : name)

const USUAL_SCHEMA: Record<Dialect, string | undefined> = { postgres: 'public', mysql: undefined, sqlite: 'main' }

/** What the user calls the table: without the schema that everything is in. */
export function tableName({ dialect }: Pick<Context, 'dialect'>, names: readonly string[]): string {
  const known = names.length > 1 && names.at(-2) === USUAL_SCHEMA[dialect] ? names.slice(-1) : names.slice(-2)
  return known.join('.')
}

export const readTable = (context: Context): string => tableName(context, dotted(context))
