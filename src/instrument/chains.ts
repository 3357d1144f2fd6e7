/**
 * Optional chains. A hook takes its base as an argument, and a base to the right of a `?.` may not be evaluated at all. So where a chain goes
 * on after its last `?.`, that one is written out: `a?.b.c` becomes `(($t=a)==null?void 0:$t.b.c)`, and what follows is read as usual.
 */
import type { Rewriting } from './rewriting.ts'
import { memberToken, type Node } from './syntax.ts'
import { chainIsWatched } from './watched.ts'

const isLink = (node: Node): boolean => node.type === 'MemberExpression' || node.type === 'CallExpression'
const before = (link: Node): Node => link['object'] ?? link['callee']

export function emitChain(r: Rewriting, node: Node): void {
  const { out, source } = r
  const expression = node['expression'] as Node
  for (let at = expression; isLink(at); at = before(at)) if (at.type === 'CallExpression') r.chained.add(at)
  let last = expression
  let goesOn = false
  for (; !last['optional']; last = before(last)) goesOn ||= last.type === 'MemberExpression'
  // The `this` of `(a?.b.c)()` would be lost, and that of `a.b?.().c` cannot be written out.
  const possible = (r.accesses || chainIsWatched(r, expression)) && goesOn && last.type === 'MemberExpression' && !r.callees.has(node)
  const temporary = possible ? r.temporary() : undefined
  if (temporary === undefined) {
    r.emit(expression)
    return
  }
  const token = memberToken(source, last)
  out.copy(node.start)
  out.put(`((${temporary}=`)
  r.emit(last['object'])
  out.copy(token)
  out.put(')==null?void 0:')
  out.drop(token + 2)
  r.writtenOut.set(last, temporary)
  r.emit(expression)
  out.copy(node.end)
  out.put(')')
  r.release(temporary)
}

/**
 * May the base of a link be put into a call? Not after a `?.` further to the left in the same chain: if that stops, nothing of ours may run.
 * Directly before a `?.` it may: the base is then undefined and the `?.` stops again.
 */
export function mayWrapBase(r: Rewriting, link: Node): boolean {
  if (link['optional']) return true
  for (let at = before(link); isLink(at); at = before(at)) if (at['optional']) return r.writtenOut.has(at)
  return true
}

/** Writes the base of a member expression, and what stands between it and the dot or bracket. */
export function emitBase(r: Rewriting, link: Node): void {
  const temporary = r.writtenOut.get(link)
  if (temporary !== undefined) r.out.put(temporary)
  else {
    r.emit(link['object'])
    r.out.copy(memberToken(r.source, link))
  }
}

/** Writes the dot that a `?.` leaves behind when it is written out. Call it where the property follows. */
export function emitDot(r: Rewriting, link: Node): void {
  if (r.writtenOut.has(link) && !link['computed']) r.out.put('.')
}
