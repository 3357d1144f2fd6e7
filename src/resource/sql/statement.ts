/** One statement: its first word decides which reader reads it. */
import { readDelete, readInsert, readMerge, readUpdate } from './change.ts'
import { NotRead } from './cursor.ts'
import { readAlter, readCopy, readCreate, readDrop, readTruncate } from './define.ts'
import { readQuery, readWith } from './query.ts'
import type { Context, Scope } from './scope.ts'
import { readBegin, readChannel, readEnd, readExecute, readExplain, readLock, readPrepare, readSet, readUnlock } from './session.ts'

/** They touch no rows that anybody else sees. */
const NOTHING = new Set(
  (
    'SHOW RESET DISCARD VACUUM ANALYZE ANALYSE COMMENT GRANT REVOKE REINDEX CLUSTER CHECKPOINT DEALLOCATE SAVEPOINT RELEASE USE DESCRIBE DESC PRAGMA DECLARE CLOSE ' +
    'OPTIMIZE FLUSH KILL SECURITY REFRESH ATTACH DETACH FETCH MOVE CONSTRAINTS'
  ).split(' '),
)

export function readStatement(context: Context, parent?: Scope, text = ''): void {
  const { cursor } = context
  const withs = cursor.is('WITH')
  const place = cursor.place
  if (withs) readWith(context, parent)
  switch (cursor.peek().upper) {
    case 'INSERT':
    case 'REPLACE':
      return readInsert(context)
    case 'UPDATE':
      return readUpdate(context)
    case 'DELETE':
      return readDelete(context)
    case 'MERGE':
      return readMerge(context)
  }
  if (withs) {
    // The query reads its own WITH.
    if (cursor.is('SELECT') || cursor.is('(') || cursor.is('VALUES') || cursor.is('TABLE')) return readQuery(context, parent)
    cursor.back(place)
    throw new NotRead()
  }
  readOther(context, parent, text)
}

function readOther(context: Context, parent: Scope | undefined, text: string): void {
  const { cursor } = context
  const { upper } = cursor.peek()
  switch (upper) {
    case 'SELECT':
    case 'VALUES':
    case 'TABLE':
    case '(':
      return readQuery(context, parent)
    case 'BEGIN':
    case 'START':
      return readBegin(context)
    case 'COMMIT':
    case 'END':
    case 'ROLLBACK':
    case 'ABORT':
      return readEnd(context)
    case 'SET':
      return readSet(context)
    case 'LOCK':
      return readLock(context)
    case 'UNLOCK':
      return readUnlock(context)
    case 'LISTEN':
    case 'UNLISTEN':
    case 'NOTIFY':
      return readChannel(context)
    case 'PREPARE':
      return readPrepare(context, text)
    case 'EXECUTE':
      return readExecute(context)
    case 'EXPLAIN':
      return readExplain(context)
    case 'CREATE':
      return readCreate(context)
    case 'ALTER':
      return readAlter(context)
    case 'DROP':
      return readDrop(context)
    case 'TRUNCATE':
      return readTruncate(context)
    case 'COPY':
      return readCopy(context)
  }
  // A cursor runs its query when rows are fetched, and REFRESH runs that of a view: neither is known here.
  if (/^(DECLARE|FETCH|MOVE|REFRESH|ATTACH|DETACH)$/.test(upper) || !NOTHING.has(upper)) throw new NotRead()
  cursor.skipRest()
}
