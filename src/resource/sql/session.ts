/** Transactions, isolation, locks on tables, channels, prepared statements: what affects the connection and not rows. */
import { EVERYTHING, type Isolation } from '../reading.ts'
import type { Operand } from '../condition.ts'
import { NotRead } from './cursor.ts'
import { readExpression } from './expression.ts'
import { dotted, readTable } from './names.ts'
import { Scope, type Context } from './scope.ts'

const LEVELS: readonly Isolation[] = ['read uncommitted', 'read committed', 'repeatable read', 'serializable']

/** The level that the rest of the statement names, in words or in one text. */
function level({ cursor }: Context): Isolation | undefined {
  const words: string[] = []
  while (!cursor.atEnd && !cursor.is(';')) words.push(cursor.next().text.toLowerCase().replaceAll('-', ' '))
  const rest = words.join(' ')
  return LEVELS.find((name) => rest.includes(name))
}

export function readBegin(context: Context): void {
  const { cursor, found } = context
  if (cursor.accept('START')) {
    // START SLAVE and its like.
    if (!cursor.is('TRANSACTION')) throw new NotRead()
  } else cursor.expect('BEGIN')
  // A block of a procedure.
  if (cursor.is('NOT') && cursor.is('ATOMIC', 1)) throw new NotRead()
  found.transaction = 'begin'
  found.isolation = level(context)
}

export function readEnd(context: Context): void {
  const { cursor, found } = context
  const { upper } = cursor.next()
  if (!cursor.accept('WORK')) cursor.accept('TRANSACTION')
  if (cursor.accept('PREPARED')) throw new NotRead()
  const rollback = upper === 'ROLLBACK' || upper === 'ABORT'
  if (rollback && cursor.accept('TO')) {
    cursor.skipRest()
    return
  }
  const chain = cursor.accept('AND', 'CHAIN')
  cursor.accept('AND', 'NO', 'CHAIN')
  cursor.skipRest()
  found.transaction = chain ? 'begin' : rollback ? 'rollback' : 'commit'
}

const ISOLATION_VARIABLE = /(transaction_isolation|tx_isolation)$/i

export function readSet(context: Context): void {
  const { cursor, found } = context
  cursor.expect('SET')
  const session = cursor.accept('SESSION') || cursor.accept('GLOBAL')
  cursor.accept('LOCAL')
  if (cursor.accept('TRANSACTION') || cursor.accept('CHARACTERISTICS', 'AS', 'TRANSACTION')) {
    found.isolation = level(context)
    if (session) found.session = true
    return
  }
  const { kind, text } = cursor.peek()
  if ((kind === 'word' || kind === 'variable') && ISOLATION_VARIABLE.test(text)) {
    found.isolation = level(context)
    // PostgreSQL: transaction_isolation is this transaction's, default_transaction_isolation all others'.
    if (context.dialect === 'mysql' || /^default/i.test(text)) found.session = true
  } else if (kind === 'word' && /^(@@session\.)?autocommit$/i.test(text)) {
    cursor.next()
    if (!cursor.accept(':=')) cursor.accept('=')
    found.transaction = /^(0|off|false)$/i.test(cursor.peek().text) ? 'begin' : 'commit'
  }
  cursor.skipRest()
}

const MODES_SHARED = /^(ACCESS SHARE|ROW SHARE|ROW EXCLUSIVE|SHARE|READ)\b/

export function readLock(context: Context): void {
  const { cursor, found } = context
  cursor.expect('LOCK')
  const until = context.dialect === 'mysql' ? 'release' : 'transaction'
  if (!cursor.accept('TABLES')) cursor.accept('TABLE')
  const wholes: { whole: string; mode: string }[] = []
  do {
    cursor.accept('ONLY')
    const whole = readTable(context)
    cursor.accept('*')
    let mode = ''
    if (cursor.accept('AS')) cursor.next()
    while (until === 'release' && cursor.peek().kind === 'word') mode += `${cursor.next().upper} `
    wholes.push({ whole, mode })
  } while (cursor.accept(','))
  let mode = ''
  if (cursor.accept('IN')) while (!cursor.accept('MODE')) mode += `${cursor.next().upper} `
  cursor.accept('NOWAIT')
  for (const { whole, mode: own } of wholes)
    found.locks.push({
      of: { whole, condition: [[]], access: 'read' },
      until,
      ...(MODES_SHARED.test(mode || own) && !/EXCLUSIVE/.test((mode || own).replace('ROW EXCLUSIVE', '')) ? { shared: true } : {}),
    })
}

export function readUnlock(context: Context): void {
  context.cursor.skipRest()
  context.found.unlocks.push({ of: EVERYTHING, operands: [], until: 'release' })
}

export function readChannel(context: Context): void {
  const { cursor, found } = context
  const { upper } = cursor.next()
  if (upper === 'UNLISTEN') return cursor.skipRest()
  const whole = `channel ${dotted(context).join('.')}`
  found.touches.push({ whole, condition: [[]], access: upper === 'NOTIFY' ? 'write' : 'read' })
  if (cursor.accept(',')) readExpression(context, new Scope(context))
}

/** `PREPARE name AS …` is kept; `EXECUTE name(…)` is the statement that was kept. */
export function readPrepare(context: Context, text: string): void {
  const { cursor, catalogue } = context
  cursor.expect('PREPARE')
  const name = dotted(context).join('.')
  if (name.toUpperCase() === 'TRANSACTION') throw new NotRead()
  if (cursor.is('(')) cursor.skipParens()
  if (cursor.accept('FROM')) {
    const { kind, text: inner } = cursor.next()
    if (kind === 'string') catalogue.prepare(name, inner)
    return
  }
  cursor.expect('AS')
  const { begin } = cursor.peek()
  cursor.skipRest()
  catalogue.prepare(name, text.slice(begin))
}

export function readExecute(context: Context): void {
  const { cursor, found } = context
  cursor.expect('EXECUTE')
  const name = dotted(context).join('.')
  const operands: (Operand | undefined)[] = []
  const scope = new Scope(context)
  if (cursor.accept('(')) while (!cursor.accept(')')) if (!cursor.accept(',')) operands.push(readExpression(context, scope).value)
  if (cursor.accept('USING')) cursor.skipRest()
  found.execute = { name, operands }
}

/** Without ANALYZE nothing is carried out. */
export function readExplain(context: Context): void {
  const { cursor, found } = context
  cursor.next()
  let runs = false
  if (cursor.is('(')) {
    const place = cursor.place
    cursor.skipParens()
    const end = cursor.place
    cursor.back(place)
    while (cursor.place < end) runs = cursor.next().upper === 'ANALYZE' || runs
  }
  for (;;)
    if (cursor.accept('ANALYZE')) runs = true
    else if (!cursor.accept('VERBOSE') && !cursor.accept('QUERY', 'PLAN') && !cursor.accept('EXTENDED')) break
  if (cursor.accept('FORMAT')) {
    cursor.accept('=')
    cursor.next()
  }
  if (runs) context.statement(context)
  else cursor.skipRest()
  void found
}
