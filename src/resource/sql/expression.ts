/**
 * Expressions: which columns they read, which sub-selects and functions they contain, and what they say about single columns (`condition.ts`).
 * Operators other than comparisons, AND and OR are skipped; nothing depends on their precedence.
 */
import { ANY, both, either, MOST, type Column, type Condition, type Operand } from '../condition.ts'
import { beginsQuery } from './begins.ts'
import { NotRead } from './cursor.ts'
import { callFunction } from './functions.ts'
import { columnName, dotted } from './names.ts'
import type { Context, Scope } from './scope.ts'

export interface Term {
  readonly condition: Condition
  /** It is this column and nothing else. */
  readonly column?: Column
  /** It is this value and nothing else. */
  readonly value?: Operand
  /** `(a, b)`. */
  readonly row?: readonly Term[]
}

const PLAIN: Term = { condition: ANY }

/** Words that no expression begins with, unless a parenthesis follows, and that are no alias. */
export const CLAUSES = new Set(
  (
    'FROM WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT WINDOW ON USING JOIN LEFT RIGHT INNER FULL CROSS NATURAL SET VALUES RETURNING ' +
    'WHEN THEN ELSE END AS AND OR INTO LOCK DO BY ASC DESC NULLS STRAIGHT_JOIN IN IS LIKE ILIKE BETWEEN SELECT'
  ).split(' '),
)
const CONSTANTS = new Set(
  (
    'NULL DEFAULT CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME CURRENT_USER SESSION_USER USER CURRENT_ROLE CURRENT_SCHEMA LOCALTIME LOCALTIMESTAMP ' +
    'UNKNOWN MAXVALUE UTC_TIMESTAMP UTC_DATE'
  ).split(' '),
)
const EQUAL = new Set(['=', '==', '<=>'])
const COMPARING = new Set(['<', '>', '<=', '>=', '<>', '!='])
const MATCHING = new Set(['LIKE', 'ILIKE', 'GLOB', 'REGEXP', 'RLIKE', 'MATCH', 'SIMILAR', 'OVERLAPS', 'SOUNDS', 'MEMBER'])

export const readExpression = (context: Context, scope: Scope): Term => context.cursor.deeper(() => readOr(context, scope))

export const readCondition = (context: Context, scope: Scope): Condition => readExpression(context, scope).condition

/** `a, b, c`. */
export function readList(context: Context, scope: Scope): Term[] {
  const terms: Term[] = []
  do terms.push(readExpression(context, scope))
  while (context.cursor.accept(','))
  return terms
}

function readOr(context: Context, scope: Scope): Term {
  let term = readAnd(context, scope)
  while (context.cursor.accept('OR') || (context.dialect === 'mysql' && context.cursor.accept('||')) || context.cursor.accept('XOR'))
    term = { condition: either(term.condition, readAnd(context, scope).condition) }
  return term
}

function readAnd(context: Context, scope: Scope): Term {
  let term = readNot(context, scope)
  while (context.cursor.accept('AND') || (context.dialect === 'mysql' && context.cursor.accept('&&')))
    term = { condition: both(term.condition, readNot(context, scope).condition) }
  return term
}

function readNot(context: Context, scope: Scope): Term {
  const { cursor } = context
  if (!cursor.accept('NOT') && !(cursor.is('!') && cursor.accept('!'))) return readPredicate(context, scope)
  cursor.deeper(() => readNot(context, scope))
  return PLAIN
}

function readPredicate(context: Context, scope: Scope): Term {
  const { cursor } = context
  let term = readOperand(context, scope)
  for (let compared = false; ; compared = true) {
    const next = cursor.peek()
    if (next.kind === 'op' && EQUAL.has(next.text)) {
      cursor.next()
      const condition = quantified(context, scope, term) ?? equality(term, readOperand(context, scope))
      term = { condition: compared ? ANY : condition }
    } else if (next.kind === 'op' && COMPARING.has(next.text)) {
      cursor.next()
      if (!quantified(context, scope, PLAIN)) readOperand(context, scope)
      term = PLAIN
    } else if (cursor.accept('IS')) {
      cursor.accept('NOT')
      if (cursor.accept('DISTINCT')) cursor.expect('FROM')
      readOperand(context, scope)
      term = PLAIN
    } else if (cursor.accept('ISNULL') || cursor.accept('NOTNULL')) term = PLAIN
    else if (
      next.kind === 'word' &&
      (next.upper === 'NOT' || next.upper === 'IN' || next.upper === 'BETWEEN' || MATCHING.has(next.upper))
    ) {
      const not = cursor.accept('NOT')
      const condition = readNamed(context, scope, term)
      if (!condition) throw new NotRead()
      term = { condition: not || compared ? ANY : condition }
    } else return term
  }
}

/** IN, BETWEEN, LIKE and their like. */
function readNamed(context: Context, scope: Scope, left: Term): Condition | undefined {
  const { cursor } = context
  if (cursor.accept('IN')) return readIn(context, scope, left)
  if (cursor.accept('BETWEEN')) {
    if (!cursor.accept('SYMMETRIC')) cursor.accept('ASYMMETRIC')
    readOperand(context, scope)
    cursor.expect('AND')
    readOperand(context, scope)
    return ANY
  }
  if (cursor.accept('NULL')) return ANY
  if (!cursor.acceptAny(MATCHING)) return undefined
  cursor.accept('TO')
  cursor.accept('OF')
  cursor.accept('LIKE')
  if (!quantified(context, scope, PLAIN)) readOperand(context, scope)
  if (cursor.accept('ESCAPE')) readOperand(context, scope)
  return ANY
}

function readIn(context: Context, scope: Scope, left: Term): Condition {
  const { cursor } = context
  if (!cursor.accept('(')) {
    // SQLite: IN table; mysql2: IN ?; and POSITION(a IN b).
    const { value } = readOperand(context, scope)
    return left.column && value?.kind === 'param' ? [[{ column: left.column, operand: { ...value, many: true } }]] : ANY
  }
  if (cursor.accept(')')) return ANY
  if (beginsQuery(context)) {
    context.query(context, scope)
    cursor.expect(')')
    return ANY
  }
  const terms = readList(context, scope)
  cursor.expect(')')
  if (terms.length > MOST) return ANY
  return terms.map((term) => equality(left, many(term))).reduce(either)
}

const many = (term: Term): Term => (term.value?.kind === 'param' ? { ...term, value: { ...term.value, many: true } } : term)

/** ANY, SOME and ALL after a comparison. */
function quantified(context: Context, scope: Scope, left: Term): Condition | undefined {
  const { cursor } = context
  const all = cursor.is('ALL')
  if (!(all || cursor.is('ANY') || cursor.is('SOME')) || !cursor.is('(', 1)) return undefined
  cursor.next()
  cursor.next()
  let condition: Condition = ANY
  if (beginsQuery(context)) context.query(context, scope)
  else {
    const { value, row } = readExpression(context, scope)
    if (!all && left.column && value?.kind === 'param') condition = [[{ column: left.column, operand: { ...value, many: true } }]]
    else if (!all && row && row.length <= MOST && row.length > 0) condition = row.map((term) => equality(left, term)).reduce(either)
  }
  cursor.expect(')')
  return condition
}

export function equality(a: Term, b: Term): Condition {
  if (a.column && b.value) return [[{ column: a.column, operand: b.value }]]
  if (b.column && a.value) return [[{ column: b.column, operand: a.value }]]
  if (a.row && b.row && a.row.length === b.row.length) return a.row.map((term, i) => equality(term, b.row![i]!)).reduce(both, ANY)
  return ANY
}

/** Anything that binds tighter than a comparison. */
export function readOperand(context: Context, scope: Scope): Term {
  const { cursor } = context
  let term = cursor.deeper(() => readPrimary(context, scope))
  for (;;) {
    const { kind, upper } = cursor.peek()
    if (
      kind === 'op' &&
      upper !== ':' &&
      !EQUAL.has(upper) &&
      !COMPARING.has(upper) &&
      !(context.dialect === 'mysql' && (upper === '||' || upper === '&&'))
    ) {
      cursor.next()
      if (upper === '::') {
        readType(context)
        term = term.column ? PLAIN : term
      } else {
        if (!quantified(context, scope, PLAIN)) cursor.deeper(() => readPrimary(context, scope))
        term = PLAIN
      }
    } else if (cursor.accept('[')) {
      readSubscript(context, scope)
      term = PLAIN
    } else if (kind === 'punct' && upper === '.' && !term.column) {
      cursor.next()
      if (!cursor.accept('*')) cursor.next()
      term = PLAIN
    } else if (readSuffix(context, scope)) term = PLAIN
    else return term
  }
}

/** After `[`: an index or a slice, either end of which may be missing. */
function readSubscript(context: Context, scope: Scope): void {
  const { cursor } = context
  while (!cursor.accept(']')) if (!cursor.accept(':') && !cursor.accept(',')) readExpression(context, scope)
}

function readSuffix(context: Context, scope: Scope): boolean {
  const { cursor } = context
  if (cursor.accept('COLLATE')) {
    dotted(context)
    return true
  }
  if (cursor.accept('AT', 'TIME', 'ZONE')) {
    cursor.deeper(() => readPrimary(context, scope))
    return true
  }
  if (cursor.accept('DIV') || cursor.accept('MOD')) {
    cursor.deeper(() => readPrimary(context, scope))
    return true
  }
  if (cursor.accept('OVER')) {
    if (cursor.is('(')) {
      cursor.next()
      readLoosely(context, scope)
    } else cursor.next()
    return true
  }
  if ((cursor.is('FILTER') && cursor.is('(', 1) && cursor.accept('FILTER', '(')) || cursor.accept('WITHIN', 'GROUP', '(')) {
    readLoosely(context, scope)
    return true
  }
  return (
    cursor.accept('IGNORE', 'NULLS') || cursor.accept('RESPECT', 'NULLS') || (cursor.peek().kind === 'string' && Boolean(cursor.next()))
  )
}

function readPrimary(context: Context, scope: Scope): Term {
  const { cursor } = context
  const token = cursor.peek()
  switch (token.kind) {
    case 'string':
    case 'number':
      cursor.next()
      return { condition: ANY, value: { kind: 'text', text: token.text } }
    case 'param':
      cursor.next()
      return { condition: ANY, value: { kind: 'param', key: token.text } }
    case 'opaque':
    case 'variable':
      cursor.next()
      return PLAIN
    case 'punct':
      return readParens(context, scope)
    case 'op':
      return readSigned(context, scope)
    default:
      return readWord(context, scope)
  }
}

/** A sign, `*`, or an operator in front. */
function readSigned(context: Context, scope: Scope): Term {
  const { cursor } = context
  const { text } = cursor.next()
  if (text === '*') {
    scope.lookAtAll()
    return PLAIN
  }
  if (text === '::' || text === '=>' || EQUAL.has(text) || COMPARING.has(text)) throw new NotRead()
  const { value } = cursor.deeper(() => readPrimary(context, scope))
  if ((text === '-' || text === '+') && value?.kind === 'text')
    return { condition: ANY, value: { kind: 'text', text: text === '-' ? `-${value.text}` : value.text } }
  return PLAIN
}

function readParens(context: Context, scope: Scope): Term {
  const { cursor } = context
  cursor.expect('(')
  if (beginsQuery(context)) {
    context.query(context, scope)
    cursor.expect(')')
    return PLAIN
  }
  const terms = readList(context, scope)
  cursor.expect(')')
  return terms.length === 1 ? terms[0]! : { condition: ANY, row: terms }
}

function readWord(context: Context, scope: Scope): Term {
  const { cursor } = context
  const token = cursor.peek()
  const call = cursor.is('(', 1)
  if (token.kind === 'word') {
    if (!call && CLAUSES.has(token.upper)) throw new NotRead()
    if (cursor.accept('CASE')) return readCase(context, scope)
    if (cursor.accept('EXISTS')) return readParens(context, scope)
    if (token.upper === 'ROW' && call) {
      cursor.next()
      const term = readParens(context, scope)
      return term.row ? term : { condition: ANY, row: [term] }
    }
    if (token.upper === 'ARRAY' && (call || cursor.is('[', 1))) return readArray(context, scope)
    if (token.upper === 'TRUE' || token.upper === 'FALSE') {
      cursor.next()
      return { condition: ANY, value: { kind: 'text', text: token.upper.toLowerCase() } }
    }
    if (!call && !cursor.is('.', 1) && CONSTANTS.has(token.upper)) {
      cursor.next()
      return PLAIN
    }
    if (!call && token.upper === 'INTERVAL') return readInterval(context, scope)
    // DATE '2020-01-01', BINARY 'x', _utf8'x'
    if (cursor.peek(1).kind === 'string' || (token.upper === 'BINARY' && !cursor.is('.', 1))) {
      cursor.next()
      cursor.deeper(() => readPrimary(context, scope))
      return PLAIN
    }
  }
  const names = dotted(context)
  if (cursor.accept('(')) {
    callFunction(context, names, readArguments(context, scope))
    return PLAIN
  }
  if (cursor.accept('.')) {
    cursor.expect('*')
    scope.lookAtAll(names.at(-1)!)
    return PLAIN
  }
  const name = columnName(context, names.at(-1)!)
  const column = names.length === 1 ? { name } : { qualifier: names.at(-2)!, name }
  scope.look(column)
  return { condition: ANY, column }
}

function readCase(context: Context, scope: Scope): Term {
  const { cursor } = context
  if (!cursor.is('WHEN')) readExpression(context, scope)
  while (cursor.accept('WHEN')) {
    readExpression(context, scope)
    cursor.expect('THEN')
    readExpression(context, scope)
  }
  if (cursor.accept('ELSE')) readExpression(context, scope)
  cursor.expect('END')
  return PLAIN
}

function readArray(context: Context, scope: Scope): Term {
  const { cursor } = context
  cursor.next()
  if (cursor.is('(')) return readParens(context, scope)
  cursor.expect('[')
  const row: Term[] = []
  while (!cursor.accept(']')) {
    row.push(cursor.is('[') ? readArrayInside(context, scope) : readExpression(context, scope))
    if (!cursor.is(']')) cursor.expect(',')
  }
  return { condition: ANY, row }
}

const readArrayInside = (context: Context, scope: Scope): Term => {
  context.cursor.expect('[')
  while (!context.cursor.accept(']')) if (!context.cursor.accept(',')) readExpression(context, scope)
  return PLAIN
}

const UNIT = /^(MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR|[A-Z]+_[A-Z]+)$/

function readInterval(context: Context, scope: Scope): Term {
  const { cursor } = context
  cursor.next()
  readOperand(context, scope)
  while (cursor.peek().kind === 'word' && UNIT.test(cursor.peek().upper)) {
    cursor.next()
    if (!cursor.is('TO')) break
    cursor.next()
  }
  return PLAIN
}

/** Words between the arguments of a function: `count(DISTINCT a ORDER BY b)`, `substring(a FROM 1 FOR 2)`. */
const BETWEEN_ARGUMENTS = new Set(
  (
    'DISTINCT ALL VARIADIC ORDER BY SEPARATOR FROM FOR USING BOTH LEADING TRAILING ASC DESC NULLS FIRST LAST PARTITION ROWS RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING ' +
    'CURRENT WHERE LIMIT EXCLUDE TIES ON ERROR EMPTY RETURNING'
  ).split(' '),
)

/** Up to the closing parenthesis; values of the arguments, where they are simple. */
export function readArguments(context: Context, scope: Scope): (Operand | undefined)[] {
  const { cursor } = context
  const values: (Operand | undefined)[] = []
  while (!cursor.accept(')')) {
    if (cursor.accept(',') || cursor.accept('*') || cursor.acceptAny(BETWEEN_ARGUMENTS)) continue
    if (cursor.accept('AS')) readType(context)
    else if (beginsQuery(context)) context.query(context, scope)
    else values.push(readExpression(context, scope).value)
  }
  return values
}

const readLoosely = readArguments

const MORE_OF_TYPE = new Set('VARYING PRECISION UNSIGNED SIGNED INTEGER ARRAY CHARACTER CHAR'.split(' '))

export function readType(context: Context): void {
  const { cursor } = context
  dotted(context)
  for (;;) {
    if (cursor.is('(')) cursor.skipParens()
    else if (cursor.is('[') && cursor.is(']', 1)) cursor.accept('[', ']')
    else if (cursor.is('[') && cursor.is(']', 2)) {
      cursor.next()
      cursor.next()
      cursor.next()
    } else if (cursor.accept('CHARACTER', 'SET')) cursor.next()
    else if (
      !cursor.acceptAny(MORE_OF_TYPE) &&
      !cursor.accept('WITH', 'TIME', 'ZONE') &&
      !cursor.accept('WITHOUT', 'TIME', 'ZONE') &&
      !cursor.accept('WITH', 'LOCAL', 'TIME', 'ZONE')
    )
      return
  }
}
