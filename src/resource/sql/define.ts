/**
 * Statements that create, change and drop tables and what depends on them. What they say about unique keys, views and triggers goes into the
 * catalogue.
 */
import { ANY } from '../condition.ts'
import { NotRead } from './cursor.ts'
import { columnName, dotted, readTable } from './names.ts'
import { readQuery } from './query.ts'
import type { Context } from './scope.ts'
import type { Table } from './catalogue.ts'

const BEFORE_KIND = new Set(
  'OR REPLACE TEMP TEMPORARY GLOBAL LOCAL UNLOGGED UNIQUE FULLTEXT SPATIAL RECURSIVE MATERIALIZED VIRTUAL FOREIGN CONSTRAINT EVENT'.split(
    ' ',
  ),
)

const write = ({ found }: Context, whole: string): void =>
  void found.touches.push({ whole, condition: ANY, access: 'write', members: true })

export function readCreate(context: Context): void {
  const { cursor, catalogue } = context
  cursor.expect('CREATE')
  let [unique, definer] = [false, false]
  for (;;)
    if (cursor.is('UNIQUE')) unique = cursor.accept('UNIQUE')
    else if (cursor.accept('DEFINER') || cursor.accept('ALGORITHM') || cursor.accept('SQL')) {
      definer = true
      while (!cursor.atEnd && !/^(VIEW|TRIGGER|FUNCTION|PROCEDURE|EVENT)$/.test(cursor.peek().upper)) cursor.next()
    } else if (!cursor.acceptAny(BEFORE_KIND)) break
  void definer
  if (cursor.accept('TABLE')) return readCreateTable(context)
  if (cursor.accept('INDEX')) return readCreateIndex(context, unique)
  if (cursor.accept('VIEW')) return readCreateView(context)
  if (cursor.accept('TRIGGER') || cursor.accept('RULE')) return readCreateTrigger(context)
  if (cursor.accept('FUNCTION') || cursor.accept('PROCEDURE') || cursor.accept('AGGREGATE')) {
    cursor.accept('IF', 'NOT', 'EXISTS')
    catalogue.learnFunction(dotted(context).at(-1)!.toLowerCase())
  }
  cursor.skipRest()
}

function readCreateTable(context: Context): void {
  const { cursor, catalogue } = context
  cursor.accept('IF', 'NOT', 'EXISTS')
  const whole = readTable(context)
  write(context, whole)
  if (cursor.accept('PARTITION', 'OF')) return cursor.skipRest()
  const before = cursor.place
  if (cursor.accept('(') && !cursor.is('SELECT') && !cursor.is('LIKE')) {
    cursor.back(before)
    readDefinitions(context, whole, catalogue.learn(whole))
  } else cursor.back(before)
  while (!cursor.atEnd && !cursor.is(';') && !cursor.is('SELECT') && !cursor.is('AS')) cursor.next()
  if (cursor.accept('AS') || cursor.is('SELECT')) readQuery(context)
  cursor.skipRest()
}

const TABLE_CONSTRAINT = new Set('CONSTRAINT PRIMARY UNIQUE FOREIGN CHECK EXCLUDE KEY INDEX FULLTEXT SPATIAL LIKE PERIOD'.split(' '))

/** The parenthesis after CREATE TABLE: columns and constraints, by their first words. */
function readDefinitions(context: Context, whole: string, table: Table): void {
  const { cursor } = context
  const columns: string[] = []
  cursor.expect('(')
  if (cursor.accept(')')) return
  do {
    // A column may be called `key`: a constraint goes on with a word or a parenthesis of its own.
    const constraint = cursor.isAny(TABLE_CONSTRAINT) && !/^(TEXT|VARCHAR|INT|INTEGER|BIGINT|CHAR|UUID)$/.test(cursor.peek(1).upper)
    const column = constraint ? undefined : columnName(context, dotted(context)[0]!)
    if (column !== undefined) columns.push(column)
    if (cursor.accept('CONSTRAINT')) if (!cursor.is('PRIMARY') && !cursor.is('UNIQUE') && !cursor.is('FOREIGN')) cursor.next()
    readDefinition(context, whole, table, column)
  } while (cursor.accept(','))
  cursor.expect(')')
  table.columns = columns
}

/** One column or constraint, up to the comma or parenthesis that ends it. */
function readDefinition(context: Context, whole: string, table: Table, column: string | undefined): void {
  const { cursor, catalogue } = context
  while (!cursor.is(',') && !cursor.is(')')) {
    if (cursor.accept('PRIMARY', 'KEY') || cursor.is('UNIQUE')) {
      if (cursor.accept('UNIQUE')) if (!cursor.accept('KEY')) cursor.accept('INDEX')
      cursor.accept('NULLS', 'NOT', 'DISTINCT')
      // MySQL: a name before the columns.
      if (column === undefined && !cursor.is('(') && cursor.isName && cursor.is('(', 1)) cursor.next()
      const key = column === undefined && cursor.is('(') ? readKey(context) : column === undefined ? undefined : [column]
      if (key) addKey(table, key)
    } else if (cursor.accept('REFERENCES')) {
      const parent = readTable(context)
      if (cursor.is('(')) cursor.skipParens()
      for (;;)
        if (cursor.accept('ON')) {
          cursor.next()
          if (!cursor.accept('NO', 'ACTION') && !cursor.accept('RESTRICT')) {
            catalogue.learn(parent).cascades.add(whole)
            if (!cursor.accept('SET')) cursor.next()
            else cursor.next()
          }
        } else if (cursor.accept('MATCH')) cursor.next()
        else break
    } else if (cursor.is('(')) cursor.skipParens()
    else cursor.next()
  }
}

const addKey = (table: Table, key: readonly string[]): void => {
  if (!table.unique.some((known) => known.join() === key.join())) table.unique.push(key)
}

/** `(a, b DESC, lower(c))`. Undefined: not over columns alone. */
function readKey(context: Context): string[] | undefined {
  const { cursor } = context
  let key: string[] | undefined = []
  cursor.expect('(')
  do {
    if (cursor.isName && (cursor.is(',', 1) || cursor.is(')', 1) || cursor.is('ASC', 1) || cursor.is('DESC', 1) || cursor.is('COLLATE', 1)))
      key?.push(columnName(context, dotted(context)[0]!))
    else key = undefined
    while (!cursor.is(',') && !cursor.is(')'))
      if (cursor.is('(')) cursor.skipParens()
      else cursor.next()
  } while (cursor.accept(','))
  cursor.expect(')')
  return key
}

function readCreateIndex(context: Context, unique: boolean): void {
  const { cursor, catalogue } = context
  cursor.accept('CONCURRENTLY')
  cursor.accept('IF', 'NOT', 'EXISTS')
  if (!cursor.is('ON')) dotted(context)
  if (cursor.accept('USING')) cursor.next()
  cursor.expect('ON')
  cursor.accept('ONLY')
  const whole = readTable(context)
  if (cursor.accept('USING')) cursor.next()
  const key = readKey(context)
  // With a condition it is unique among some rows only.
  let partial = false
  while (!cursor.atEnd && !cursor.is(';')) partial = cursor.next().upper === 'WHERE' || partial
  if (unique && key && !partial) addKey(catalogue.learn(whole), key)
}

function readCreateView(context: Context): void {
  const { cursor, catalogue, found } = context
  cursor.accept('IF', 'NOT', 'EXISTS')
  const whole = readTable(context)
  while (!cursor.accept('AS'))
    if (cursor.is('(')) cursor.skipParens()
    else cursor.next()
  const before = found.touches.length
  readQuery(context)
  if (cursor.accept('WITH')) cursor.skipRest()
  catalogue.learnView(whole, found.touches.splice(before))
}

/** What it carries out is not read: changes of its table are not understood from now on. */
function readCreateTrigger(context: Context): void {
  const { cursor, catalogue } = context
  while (!cursor.atEnd && !cursor.is('ON') && !cursor.is('TO')) cursor.next()
  cursor.next()
  const whole = readTable(context)
  catalogue.learn(whole).triggers = true
  cursor.skipRest()
}

export function readAlter(context: Context): void {
  const { cursor, catalogue } = context
  cursor.expect('ALTER')
  if (!cursor.accept('TABLE')) return cursor.skipRest()
  cursor.accept('IF', 'EXISTS')
  cursor.accept('ONLY')
  const whole = readTable(context)
  write(context, whole)
  if (cursor.accept('ADD')) {
    if (cursor.accept('CONSTRAINT')) dotted(context)
    if (cursor.is('PRIMARY') || cursor.is('UNIQUE')) {
      const nullsOrName = cursor.accept('PRIMARY', 'KEY') || cursor.accept('UNIQUE')
      if (nullsOrName && !cursor.is('(') && (cursor.accept('KEY') || cursor.accept('INDEX') || cursor.isName))
        while (!cursor.is('(')) cursor.next()
      const key = cursor.is('(') ? readKey(context) : undefined
      if (key) addKey(catalogue.learn(whole), key)
      return cursor.skipRest()
    }
    if (cursor.is('FOREIGN')) {
      // Its columns, then as in CREATE TABLE.
      while (!cursor.atEnd && !cursor.is('REFERENCES')) cursor.next()
      if (!cursor.accept('REFERENCES')) throw new NotRead()
      const parent = readTable(context)
      let cascades = false
      while (!cursor.atEnd) cascades = /^(CASCADE|SET)$/.test(cursor.next().upper) || cascades
      if (cascades) catalogue.learn(parent).cascades.add(whole)
      return
    }
  }
  // Columns come and go: what was known of them may be wrong.
  if (catalogue.table(whole)) delete catalogue.learn(whole).columns
  cursor.skipRest()
}

export function readDrop(context: Context): void {
  const { cursor, catalogue } = context
  cursor.expect('DROP')
  cursor.accept('MATERIALIZED')
  cursor.accept('FOREIGN')
  cursor.accept('TEMPORARY')
  if (cursor.accept('SCHEMA') || cursor.accept('DATABASE') || cursor.accept('OWNED')) throw new NotRead()
  if (!cursor.accept('TABLE') && !cursor.accept('VIEW')) return cursor.skipRest()
  cursor.accept('IF', 'EXISTS')
  do {
    const whole = readTable(context)
    catalogue.forget(whole)
    write(context, whole)
  } while (cursor.accept(','))
  if (!cursor.accept('CASCADE')) cursor.accept('RESTRICT')
}

export function readTruncate(context: Context): void {
  const { cursor, found } = context
  cursor.expect('TRUNCATE')
  cursor.accept('TABLE')
  do {
    cursor.accept('ONLY')
    write(context, readTable(context))
    cursor.accept('*')
  } while (cursor.accept(','))
  if (!cursor.accept('RESTART', 'IDENTITY')) cursor.accept('CONTINUE', 'IDENTITY')
  // Tables that refer to it go along.
  if (cursor.accept('CASCADE')) found.understood = false
  else cursor.accept('RESTRICT')
}

export function readCopy(context: Context): void {
  const { cursor, found } = context
  cursor.expect('COPY')
  if (cursor.accept('(')) {
    readQuery(context)
    cursor.expect(')')
    return cursor.skipRest()
  }
  const whole = readTable(context)
  if (cursor.is('(')) cursor.skipParens()
  const from = cursor.accept('FROM')
  if (!from) cursor.expect('TO')
  if (from) write(context, whole)
  else found.touches.push({ whole, condition: ANY, access: 'read' })
  cursor.skipRest()
}
