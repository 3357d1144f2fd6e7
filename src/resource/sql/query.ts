/** SELECT and everything it may contain: WITH, joins, sub-selects, UNION, FOR UPDATE. */
import { NotRead } from './cursor.ts'
import { CLAUSES, readArguments, readCondition, readExpression, readList } from './expression.ts'
import { beginsQuery, COMBINING } from './begins.ts'
import { callFunction } from './functions.ts'
import { dotted, readTable, tableName } from './names.ts'
import { Scope, type Context, type Source } from './scope.ts'

export function readQuery(context: Context, parent?: Scope): void {
  const { cursor } = context
  cursor.deeper(() => {
    if (cursor.is('WITH')) readWith(context, parent)
    let scope = readBody(context, parent)
    while (cursor.acceptAny(COMBINING)) {
      finish(scope)
      if (!cursor.accept('ALL')) cursor.accept('DISTINCT')
      scope = readBody(context, parent)
      // What follows orders all of them: its columns are nobody's.
      if (!cursor.isAny(COMBINING)) {
        finish(scope)
        scope = new Scope(context, undefined)
      }
    }
    readTail(context, scope)
    finish(scope)
  })
}

function finish(scope: Scope): void {
  scope.settle()
  scope.reads()
}

/** `WITH a AS (…), b AS (…)`: the names are no tables in what follows. */
export function readWith(context: Context, parent?: Scope): void {
  const { cursor } = context
  cursor.expect('WITH')
  cursor.accept('RECURSIVE')
  do {
    const [name] = dotted(context)
    context.withs.add(name!)
    if (cursor.is('(')) cursor.skipParens()
    cursor.expect('AS')
    if (cursor.accept('NOT')) cursor.expect('MATERIALIZED')
    else cursor.accept('MATERIALIZED')
    cursor.expect('(')
    context.statement(context, parent)
    cursor.expect(')')
    while (cursor.is('SEARCH') || cursor.is('CYCLE')) while (!cursor.atEnd && !cursor.is(',') && !cursor.is('SELECT')) cursor.next()
  } while (cursor.accept(','))
}

function readBody(context: Context, parent: Scope | undefined): Scope {
  const { cursor } = context
  const scope = new Scope(context, parent)
  if (cursor.accept('(')) {
    readQuery(context, parent)
    cursor.expect(')')
  } else if (cursor.accept('VALUES')) {
    do {
      cursor.accept('ROW')
      cursor.expect('(')
      readArguments(context, scope)
    } while (cursor.accept(','))
  } else if (cursor.accept('TABLE')) {
    const source = scope.add(...tableOrWith(context))
    source.all = true
  } else readSelect(context, scope)
  return scope
}

const AFTER_SELECT = new Set(
  'ALL DISTINCT DISTINCTROW SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_CACHE SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT HIGH_PRIORITY STRAIGHT_JOIN'.split(
    ' ',
  ),
)

function readSelect(context: Context, scope: Scope): void {
  const { cursor } = context
  cursor.expect('SELECT')
  while (cursor.acceptAny(AFTER_SELECT))
    if (cursor.accept('ON')) {
      cursor.expect('(')
      readArguments(context, scope)
    }
  if (!cursor.is('FROM') && !cursor.atEnd && !cursor.is(')')) readColumns(context, scope)
  readInto(context)
  if (cursor.accept('FROM')) readFrom(context, scope)
  if (cursor.accept('WHERE')) scope.filter(readCondition(context, scope))
  if (cursor.accept('GROUP', 'BY')) {
    if (!cursor.accept('ALL')) cursor.accept('DISTINCT')
    readGroups(context, scope)
  }
  if (cursor.accept('HAVING')) readExpression(context, scope)
  if (cursor.accept('WINDOW'))
    do {
      dotted(context)
      cursor.expect('AS')
      cursor.expect('(')
      readArguments(context, scope)
    } while (cursor.accept(','))
}

function readGroups(context: Context, scope: Scope): void {
  const { cursor } = context
  do {
    if (cursor.is('(') && cursor.is(')', 1)) cursor.accept('(', ')')
    else if (cursor.accept('GROUPING', 'SETS', '(')) readArguments(context, scope)
    else readExpression(context, scope)
    if (!cursor.accept('ASC')) cursor.accept('DESC')
  } while (cursor.accept(','))
  if (cursor.is('WITH') && cursor.is('ROLLUP', 1)) cursor.accept('WITH', 'ROLLUP')
}

/** What is selected, or returned by a change. */
export function readColumns(context: Context, scope: Scope): void {
  const { cursor } = context
  do {
    readExpression(context, scope)
    if (cursor.accept('AS')) cursor.next()
    else if (isAlias(context)) cursor.next()
  } while (cursor.accept(','))
}

function readInto(context: Context): void {
  const { cursor, found } = context
  if (!cursor.accept('INTO')) return
  if (cursor.peek().kind === 'variable')
    do cursor.next()
    while (cursor.accept(','))
  else if (cursor.accept('OUTFILE') || cursor.accept('DUMPFILE')) throw new NotRead()
  else {
    if (!cursor.accept('TEMPORARY')) cursor.accept('TEMP')
    cursor.accept('UNLOGGED')
    cursor.accept('TABLE')
    found.touches.push({ whole: readTable(context), condition: [[]], access: 'write', members: true })
  }
}

const NO_ALIAS = new Set(
  'TABLESAMPLE USE FORCE IGNORE PARTITION INDEXED NOT WINDOW DEFAULT OUTER WITH ESCAPE MINUS OVERRIDING PROCEDURE COLLATE RETURNING'.split(
    ' ',
  ),
)

export function isAlias({ cursor }: Context): boolean {
  const { kind, upper } = cursor.peek()
  return kind === 'quoted' || (kind === 'word' && !CLAUSES.has(upper) && !NO_ALIAS.has(upper))
}

export function readFrom(context: Context, scope: Scope): void {
  do readJoined(context, scope)
  while (context.cursor.accept(','))
}

/** One chain of joins. A condition of a LEFT JOIN restricts the rows of its right side alone. */
export function readJoined(context: Context, scope: Scope, first = scope.sources.length, begun = false): void {
  const { cursor } = context
  if (!begun) readSource(context, scope)
  for (;;) {
    const place = cursor.place
    const natural = cursor.accept('NATURAL')
    const side = ['LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS'].find((word) => cursor.accept(word)) ?? 'INNER'
    cursor.accept('OUTER')
    if (!cursor.accept('JOIN') && !(side === 'INNER' && cursor.accept('STRAIGHT_JOIN'))) {
      cursor.back(place)
      return
    }
    const right = scope.sources.length
    readSource(context, scope)
    // a JOIN (b JOIN c ON …) ON …, without parentheses: a JOIN b JOIN c ON … ON …
    if (!natural && side !== 'CROSS' && !cursor.is('ON') && !cursor.is('USING') && isJoin(context)) readJoined(context, scope, right, true)
    if (cursor.accept('ON')) {
      const condition = readCondition(context, scope)
      const only =
        side === 'LEFT'
          ? scope.sources.slice(right)
          : side === 'RIGHT'
            ? scope.sources.slice(first, right)
            : side === 'FULL'
              ? []
              : undefined
      scope.filter(condition, only)
    } else if (cursor.accept('USING')) {
      cursor.skipParens()
      if (cursor.accept('AS')) cursor.next()
    }
  }
}

const isJoin = ({ cursor }: Context): boolean => ['LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'JOIN'].some((word) => cursor.is(word))

function readSource(context: Context, scope: Scope): void {
  const { cursor } = context
  cursor.accept('LATERAL')
  cursor.accept('ONLY')
  if (cursor.is('(')) {
    cursor.next()
    if (beginsQuery(context)) {
      readQuery(context, scope)
      cursor.expect(')')
      scope.add(undefined, readAlias(context) ?? '')
    } else {
      readFrom(context, scope)
      cursor.expect(')')
      readAlias(context)
    }
    return
  }
  if (cursor.accept('ROWS', 'FROM', '(')) {
    readArguments(context, scope)
    scope.add(undefined, readAlias(context) ?? '')
    return
  }
  const names = dotted(context)
  if (cursor.accept('(')) {
    callFunction(context, names, readArguments(context, scope))
    cursor.accept('WITH', 'ORDINALITY')
    scope.add(undefined, readAlias(context) ?? names.at(-1)!)
    return
  }
  const [whole, alias] = named(context, names)
  cursor.accept('*')
  if (cursor.accept('PARTITION')) cursor.skipParens()
  scope.add(whole, readAlias(context) ?? alias)
  readHints(context)
}

function readHints(context: Context): void {
  const { cursor } = context
  for (;;)
    if (cursor.accept('TABLESAMPLE')) {
      dotted(context)
      cursor.skipParens()
      if (cursor.accept('REPEATABLE')) cursor.skipParens()
    } else if (cursor.accept('INDEXED', 'BY')) dotted(context)
    else if ((cursor.is('USE') || cursor.is('FORCE') || cursor.is('IGNORE')) && (cursor.is('INDEX', 1) || cursor.is('KEY', 1))) {
      while (!cursor.is('(')) cursor.next()
      cursor.skipParens()
    } else if (!cursor.accept('NOT', 'INDEXED')) return
}

/** The alias, if one is given, and past the names of its columns. */
export function readAlias(context: Context): string | undefined {
  const { cursor } = context
  const as = cursor.accept('AS')
  if (as && cursor.is('(')) {
    cursor.skipParens()
    return undefined
  }
  if (!as && !isAlias(context)) return undefined
  const [alias] = dotted(context)
  if (cursor.is('(')) cursor.skipParens()
  return alias
}

const tableOrWith = (context: Context): [whole: string | undefined, alias: string] => named(context, dotted(context))

function named(context: Context, names: readonly string[]): [whole: string | undefined, alias: string] {
  const alias = names.at(-1)!
  return names.length === 1 && context.withs.has(alias) ? [undefined, alias] : [tableName(context, names), alias]
}

/** ORDER BY, LIMIT, OFFSET, FETCH, FOR, in any order. */
export function readTail(context: Context, scope: Scope): void {
  const { cursor } = context
  for (;;)
    if (cursor.accept('ORDER', 'BY')) readOrder(context, scope)
    else if (cursor.accept('LIMIT') || cursor.accept('OFFSET')) {
      if (!cursor.accept('ALL')) readList(context, scope)
      if (!cursor.accept('ROWS')) cursor.accept('ROW')
    } else if (cursor.accept('FETCH')) {
      cursor.next()
      if (!cursor.is('ROW') && !cursor.is('ROWS')) readExpression(context, scope)
      cursor.next()
      if (!cursor.accept('ONLY')) cursor.accept('WITH', 'TIES')
    } else if (cursor.is('INTO')) readInto(context)
    else if (!readLocking(context, scope)) return
}

function readOrder(context: Context, scope: Scope): void {
  const { cursor } = context
  do {
    readExpression(context, scope)
    if (cursor.accept('USING')) cursor.next()
    if (!cursor.accept('ASC')) cursor.accept('DESC')
    if (cursor.accept('NULLS')) cursor.next()
  } while (cursor.accept(','))
}

function readLocking(context: Context, scope: Scope): boolean {
  const { cursor, found } = context
  let shared = false
  if (cursor.accept('LOCK', 'IN', 'SHARE', 'MODE') || cursor.accept('FOR', 'SHARE') || cursor.accept('FOR', 'KEY', 'SHARE')) shared = true
  else if (!cursor.accept('FOR', 'UPDATE') && !cursor.accept('FOR', 'NO', 'KEY', 'UPDATE')) return false
  const of: (Source | undefined)[] = []
  if (cursor.accept('OF'))
    do of.push(scope.byAlias(dotted(context).at(-1)!))
    while (cursor.accept(','))
  // With NOWAIT the statement fails where the rows are locked.
  const skips = !cursor.accept('NOWAIT') && cursor.accept('SKIP', 'LOCKED')
  if (cursor.accept('WAIT')) cursor.next()
  for (const source of scope.sources)
    if (source.whole !== undefined && (of.length === 0 || of.includes(source)))
      found.locks.push({
        of: { whole: source.whole, condition: scope.conditionOf(source), access: 'read' },
        until: 'transaction',
        ...(skips ? { skips } : {}),
        ...(shared ? { shared } : {}),
      })
  return true
}
