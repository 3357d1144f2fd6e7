/** Where a query begins, and which words continue one. */
import type { Context } from './scope.ts'

const BEGINNINGS = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE'])
export const COMBINING = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'MINUS'])

/** Does a query come next, not an expression? `((SELECT 1) UNION …)` is one, `((SELECT 1) + 2)` is not. */
export function beginsQuery({ cursor }: Context): boolean {
  if (cursor.isAny(BEGINNINGS)) return cursor.is('VALUES') || cursor.is('TABLE') ? !cursor.is('.', 1) && !cursor.is(')', 1) : true
  if (!cursor.is('(')) return false
  const place = cursor.place
  let inner = 0
  while (cursor.is('(', inner)) inner++
  const { kind, upper } = cursor.peek(inner)
  if (kind !== 'word' || !BEGINNINGS.has(upper)) return false
  cursor.skipParens()
  const query = cursor.isAny(COMBINING) || cursor.is('ORDER') || cursor.is('LIMIT')
  cursor.back(place)
  return query
}
