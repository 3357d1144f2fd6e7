/** INSERT, UPDATE, DELETE, MERGE: which rows they write, and what they read for that. */
import type { Access } from '../reading.ts'
import { ANY, both, restricted, type Condition, type Operand } from '../condition.ts'
import { NotRead } from './cursor.ts'
import { readCondition, readExpression, type Term } from './expression.ts'
import { columnName, dotted, readTable } from './names.ts'
import { isAlias, readAlias, readColumns, readFrom, readJoined, readQuery, readTail } from './query.ts'
import { Scope, type Context, type Source } from './scope.ts'
import type { TouchTemplate } from '../template.ts'

const MODIFIERS = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'QUICK'])

/** SQLite's `OR REPLACE` and MySQL's IGNORE and their like. True: rows in the way are replaced. */
function readModifiers({ cursor }: Context): { replaces: boolean; ignores: boolean } {
  let [replaces, ignores] = [false, false]
  for (;;)
    if (cursor.accept('OR')) {
      const { upper } = cursor.next()
      replaces ||= upper === 'REPLACE'
      ignores ||= upper === 'IGNORE'
    } else if (cursor.is('IGNORE')) ignores = cursor.accept('IGNORE')
    else if (!cursor.acceptAny(MODIFIERS)) return { replaces, ignores }
}

/** What changes with a table's rows besides them: tables below a view, children by foreign keys, triggers. */
function push({ found, catalogue }: Context, touch: TouchTemplate): void {
  const view = catalogue.view(touch.whole)
  const table = catalogue.table(touch.whole)
  if (table?.triggers) found.understood = false
  if (!view) found.touches.push(touch)
  for (const { whole } of view ?? []) found.touches.push({ whole, condition: ANY, access: touch.access, members: true })
  if (touch.access !== 'read')
    for (const whole of table?.cascades ?? []) found.touches.push({ whole, condition: ANY, access: 'write', members: true })
}

function readReturning(context: Context, scope: Scope): void {
  const { cursor } = context
  if (!cursor.accept('RETURNING')) return
  // RETURNING WITH (OLD AS o) …
  if (cursor.accept('WITH')) cursor.skipParens()
  readColumns(context, scope)
}

// INSERT

export function readInsert(context: Context): void {
  const { cursor } = context
  const replace = cursor.accept('REPLACE')
  if (!replace) cursor.expect('INSERT')
  const { replaces, ignores } = readModifiers(context)
  cursor.accept('INTO')
  const whole = readTable(context)
  if (cursor.accept('PARTITION')) cursor.skipParens()
  const alias = cursor.accept('AS') ? dotted(context)[0]! : whole.slice(whole.lastIndexOf('.') + 1)
  const scope = new Scope(context)
  scope.add(whole, alias, true)
  let columns = context.catalogue.table(whole)?.columns
  if (cursor.is('(') && !isQueryInParens(context)) columns = readNames(context)
  if (cursor.accept('OVERRIDING')) {
    cursor.next()
    cursor.expect('VALUE')
  }
  const rows = readRows(context, scope, columns)
  if (cursor.accept('AS')) readAlias(context)
  const upsert = readConflict(context, scope)
  readReturning(context, scope)
  scope.settle()
  const known = context.catalogue.table(whole)?.unique ?? []
  const unique = upsert?.columns ? [...known, upsert.columns] : known
  const condition = rows ?? ANY
  const refuses = unique.length > 0 || upsert !== undefined || ignores || replace || replaces
  push(context, {
    whole,
    condition,
    full: true,
    access: refuses ? 'update' : 'write',
    members: true,
    ...(columns ? { fields: columns } : {}),
    ...(unique.length > 0 ? { unique } : {}),
  })
  // The row in the way has the values of the key and others besides.
  if (upsert?.changes || replace || replaces) {
    const keys = upsert?.columns ? [upsert.columns] : known
    const parts =
      keys.length === 0 ? [ANY] : keys.map((key) => restricted(condition, (column) => (key.includes(column) ? column : undefined)))
    for (const part of parts)
      push(context, { whole, condition: part, access: 'update', members: true, ...(upsert ? { fields: upsert.fields } : {}) })
  }
}

const isQueryInParens = (context: Context): boolean => ['SELECT', 'WITH', 'VALUES', '('].some((word) => context.cursor.is(word, 1))

function readNames(context: Context): string[] {
  const { cursor } = context
  const names: string[] = []
  cursor.expect('(')
  while (!cursor.accept(')')) {
    if (cursor.accept(',')) continue
    names.push(columnName(context, dotted(context).at(-1)!))
    if (cursor.is('[')) throw new NotRead()
  }
  return names
}

/** The rows as a condition, one conjunction for each; undefined where they are not said. */
function readRows(context: Context, scope: Scope, columns: readonly string[] | undefined): Condition<string> | undefined {
  const { cursor } = context
  if (cursor.accept('DEFAULT', 'VALUES')) return undefined
  if (cursor.accept('SET')) {
    const terms = readAssignments(context, scope)
    return [terms.flatMap(({ column, term }) => equalTo(column, term.value))]
  }
  if (cursor.is('VALUES') || cursor.is('VALUE')) {
    cursor.next()
    // mysql2 puts rows in for one question mark.
    if (cursor.peek().kind === 'param') {
      cursor.next()
      return undefined
    }
    const rows: Condition<string>[number][] = []
    do {
      cursor.accept('ROW')
      const values = readRow(context, scope)
      rows.push(columns && columns.length >= values.length ? values.flatMap((term, i) => equalTo(columns[i]!, term.value)) : [])
    } while (cursor.accept(','))
    return rows
  }
  readQuery(context)
  return undefined
}

const equalTo = (column: string, operand: Operand | undefined): Condition<string>[number] => (operand ? [{ column, operand }] : [])

function readRow(context: Context, scope: Scope): Term[] {
  const { cursor } = context
  const values: Term[] = []
  cursor.expect('(')
  if (cursor.accept(')')) return values
  do values.push(readExpression(context, scope))
  while (cursor.accept(','))
  cursor.expect(')')
  return values
}

interface Upsert {
  /** Undefined: any unique key. */
  readonly columns: readonly string[] | undefined
  readonly changes: boolean
  readonly fields: readonly string[]
}

function readConflict(context: Context, scope: Scope): Upsert | undefined {
  const { cursor } = context
  if (cursor.accept('ON', 'DUPLICATE', 'KEY', 'UPDATE'))
    return { columns: undefined, changes: true, fields: readAssignments(context, scope).map((a) => a.column) }
  let upsert: Upsert | undefined
  while (cursor.accept('ON', 'CONFLICT')) {
    let columns: string[] | undefined
    if (cursor.accept('ON', 'CONSTRAINT')) dotted(context)
    else if (cursor.accept('(')) {
      columns = []
      while (!cursor.accept(')')) {
        if (cursor.accept(',')) continue
        const { column } = readExpression(context, scope)
        if (column) columns?.push(column.name)
        else columns = undefined
        while (cursor.isName) cursor.next()
      }
    }
    if (cursor.accept('WHERE')) readCondition(context, scope)
    cursor.expect('DO')
    if (cursor.accept('NOTHING')) upsert ??= { columns, changes: false, fields: [] }
    else {
      cursor.expect('UPDATE')
      cursor.expect('SET')
      const fields = readAssignments(context, scope).map((a) => a.column)
      if (cursor.accept('WHERE')) readCondition(context, scope)
      upsert = { columns: upsert ? undefined : columns, changes: true, fields }
    }
  }
  return upsert
}

// UPDATE and DELETE

interface Assignment {
  readonly qualifier: string | undefined
  readonly column: string
  readonly term: Term
}

function readAssignments(context: Context, scope: Scope): Assignment[] {
  const { cursor } = context
  const found: Assignment[] = []
  do {
    if (cursor.is('(')) {
      const names = readNames(context)
      cursor.expect('=')
      const { row } = readExpression(context, scope)
      for (const [i, column] of names.entries()) found.push({ qualifier: undefined, column, term: row?.[i] ?? { condition: ANY } })
      continue
    }
    // mysql2 puts assignments in for a question mark.
    if (cursor.peek().kind === 'param') throw new NotRead()
    const names = dotted(context)
    while (cursor.accept('[')) while (!cursor.accept(']')) if (!cursor.accept(':')) readExpression(context, scope)
    if (!cursor.accept('=')) cursor.expect(':=')
    found.push({ qualifier: names.at(-2), column: columnName(context, names.at(-1)!), term: readExpression(context, scope) })
  } while (cursor.accept(','))
  return found
}

export function readUpdate(context: Context): void {
  const { cursor } = context
  cursor.expect('UPDATE')
  readModifiers(context)
  const scope = new Scope(context)
  const targets = readTargets(context, scope)
  cursor.expect('SET')
  // What is computed from the row itself is seen in the columns that the assignments look at.
  const before = scope.looked.length
  const assignments = readAssignments(context, scope)
  const computed = scope.looked.slice(before)
  if (cursor.accept('FROM')) readFrom(context, scope)
  const seen = scope.looked.length
  if (cursor.accept('WHERE')) readWhere(context, scope)
  const looks = scope.looked.slice(seen)
  readTail(context, scope)
  readReturning(context, scope)
  scope.settle()
  scope.reads()
  for (const target of targets) {
    const mine = assignments.filter(({ qualifier }) => qualifier === undefined || scope.byAlias(qualifier) === target)
    if (mine.length === 0) {
      scope.read(target)
      continue
    }
    const condition = scope.conditionOf(target)
    const lookedAt = looks
      .filter((column) => scope.owner(column) === target || scope.owner(column) === undefined)
      .map((column) => column.name)
    const self = computed.some((column) => scope.owner(column) === target || scope.owner(column) === undefined)
    changed(context, target, condition, mine, lookedAt, self)
  }
}

function changed(
  context: Context,
  target: Source,
  condition: Condition<string>,
  assignments: readonly Assignment[],
  looks: readonly string[],
  self: boolean,
): void {
  const fields = [...new Set(assignments.map((a) => a.column))]
  const whole = target.whole!
  const access: Access = self ? 'update' : 'write'
  push(context, { whole, condition, access, fields, looks: [...new Set(looks)] })
  // A row that moves to another part is in both.
  if (!condition.some((conjunction) => conjunction.some(({ column }) => fields.includes(column)))) return
  const stays = restricted(condition, (column) => (fields.includes(column) ? undefined : column))
  const goes = assignments.flatMap(({ column, term }) => equalTo(column, term.value))
  push(context, { whole, condition: both(stays, [goes]), access, fields })
}

/** The tables after UPDATE; several in MySQL. */
function readTargets(context: Context, scope: Scope): Source[] {
  const { cursor } = context
  cursor.accept('ONLY')
  if (context.dialect === 'mysql') {
    readFrom(context, scope)
    const targets = scope.sources.filter((source) => source.whole !== undefined)
    for (const target of targets) target.target = true
    return targets
  }
  const whole = readTable(context)
  cursor.accept('*')
  const alias = cursor.accept('AS') || isAlias(context) ? dotted(context)[0]! : whole.slice(whole.lastIndexOf('.') + 1)
  if (cursor.accept('INDEXED', 'BY')) dotted(context)
  else cursor.accept('NOT', 'INDEXED')
  return [scope.add(whole, alias, true)]
}

function readWhere(context: Context, scope: Scope): void {
  const { cursor } = context
  if (cursor.accept('CURRENT', 'OF')) dotted(context)
  else scope.filter(readCondition(context, scope))
}

export function readDelete(context: Context): void {
  const { cursor } = context
  cursor.expect('DELETE')
  readModifiers(context)
  const scope = new Scope(context)
  // MySQL: DELETE a, b FROM a JOIN b …
  const named: string[] = []
  if (!cursor.is('FROM'))
    do {
      named.push(dotted(context).at(-1)!)
      if (cursor.accept('.')) cursor.expect('*')
    } while (cursor.accept(','))
  cursor.expect('FROM')
  cursor.accept('ONLY')
  let targets: Source[]
  if (named.length > 0) {
    readFrom(context, scope)
    targets = named.map((name) => scope.byAlias(name)).filter((source) => source !== undefined)
    if (targets.length < named.length) throw new NotRead()
  } else {
    const whole = readTable(context)
    cursor.accept('*')
    targets = [scope.add(whole, readAlias(context) ?? whole.slice(whole.lastIndexOf('.') + 1), true)]
    if (cursor.accept('INDEXED', 'BY')) dotted(context)
    else cursor.accept('NOT', 'INDEXED')
    if (context.dialect === 'mysql' && cursor.is(',')) throw new NotRead()
    if (cursor.accept('USING')) readFrom(context, scope)
  }
  const seen = scope.looked.length
  if (cursor.accept('WHERE')) readWhere(context, scope)
  const looks = scope.looked.slice(seen)
  readTail(context, scope)
  readReturning(context, scope)
  scope.settle()
  scope.reads()
  for (const target of targets) {
    const lookedAt = looks.filter((column) => (scope.owner(column) ?? target) === target).map((column) => column.name)
    if (target.whole !== undefined)
      push(context, { whole: target.whole, condition: scope.conditionOf(target), access: 'write', members: true, looks: lookedAt })
  }
}

// MERGE

export function readMerge(context: Context): void {
  const { cursor } = context
  cursor.expect('MERGE')
  cursor.expect('INTO')
  cursor.accept('ONLY')
  const scope = new Scope(context)
  const whole = readTable(context)
  cursor.accept('*')
  scope.add(whole, readAlias(context) ?? whole.slice(whole.lastIndexOf('.') + 1), true)
  cursor.expect('USING')
  readJoined(context, scope)
  cursor.expect('ON')
  scope.filter(readCondition(context, scope))
  while (cursor.accept('WHEN')) {
    cursor.accept('NOT')
    cursor.expect('MATCHED')
    if (cursor.accept('BY')) cursor.next()
    if (cursor.accept('AND')) readCondition(context, scope)
    cursor.expect('THEN')
    if (cursor.accept('DO')) cursor.expect('NOTHING')
    else if (cursor.accept('UPDATE')) {
      cursor.expect('SET')
      readAssignments(context, scope)
    } else if (cursor.accept('INSERT')) {
      if (cursor.is('(')) readNames(context)
      if (cursor.accept('OVERRIDING')) {
        cursor.next()
        cursor.expect('VALUE')
      }
      readRows(context, scope, undefined)
    } else cursor.expect('DELETE')
  }
  readReturning(context, scope)
  scope.settle()
  scope.reads()
  push(context, { whole, condition: ANY, access: 'update', members: true })
}
