/** Which properties are worth a hook, and which keys can be written twice. */
import type { Rewriting } from './rewriting.ts'
import type { Node } from './syntax.ts'

const LINE_BREAKS = /[\n\r\u2028\u2029]/

/** Values nobody else has yet, or which have no properties that change. */
export const FRESH = new Set(
  'Literal TemplateLiteral ArrayExpression ObjectExpression FunctionExpression ArrowFunctionExpression ClassExpression MetaProperty Super'.split(
    ' ',
  ),
)

/** Globals whose properties programs do not share data through. */
const BUILT_IN = new Set(
  (
    'Math JSON Object Array Number String Symbol Boolean BigInt Promise Reflect RegExp Date Error TypeError RangeError SyntaxError Function Map Set ' +
    'WeakMap WeakSet Proxy ArrayBuffer SharedArrayBuffer DataView Uint8Array Buffer Atomics Intl console performance process arguments'
  ).split(' '),
)

/** Is a property of this expression worth recording? */
export function isShared(r: Rewriting, base: Node): boolean {
  if (FRESH.has(base.type)) return false
  return !(base.type === 'Identifier' && BUILT_IN.has(base['name']) && r.scopes.variable(base) === undefined)
}

/** Keys that can be written a second time: names, and literals in one line. */
export const isSimpleKey = (node: Node): boolean =>
  node.type === 'Identifier' || (node.type === 'Literal' && node['regex'] === undefined && !LINE_BREAKS.test(node['raw']))
