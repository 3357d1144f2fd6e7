/**
 * Calls: methods that collections have, the clock, functions of Object that touch all properties, and constructors.
 */
import { emitBase, emitDot, mayWrapBase } from './chains.ts'
import { COLLECTION_METHODS, KEYED_METHODS } from './hooks.ts'
import { openAround, propertyName } from './members.ts'
import { isShared, isSimpleKey } from './shared.ts'
import type { Rewriting } from './rewriting.ts'
import type { Node } from './syntax.ts'
import { readOf } from './variables.ts'
import { beginWatched, emitWatchedFunction } from './watched-calls.ts'

/** Static functions of Object that read all properties of their first argument. */
const READS_ALL = new Set(['keys', 'values', 'entries', 'getOwnPropertyNames', 'getOwnPropertyDescriptors'])

/** Which functions tell the time, by the global they are in. */
const CLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Date', ['now']],
  ['performance', ['now']],
  ['process', ['hrtime', 'uptime']],
])

export function emitCall(r: Rewriting, node: Node): void {
  const { out } = r
  const callee = node['callee'] as Node
  if (callee.type === 'ChainExpression') r.callees.add(callee)
  const detail = r.options.detail && !r.chained.has(node)
  if (detail) {
    out.copy(node.start)
    const site = r.site(callee.type === 'MemberExpression' ? callee['property'].start : callee.start)
    out.put(`(${r.call('c')}${site},${JSON.stringify(calleeName(callee))}),`)
  }
  const end = beginWatched(r, node, callee)
  if (emitAtomics(r, node, callee) || emitWatchedFunction(r, node, callee)) {
    // written
  } else if (!r.accesses || !(emitSpecial(r, node, callee) || emitBefore(r, node, callee))) {
    r.emit(callee)
    for (const argument of node['arguments'] as Node[]) r.emit(argument)
  }
  if (end !== undefined) {
    out.copy(node.end)
    out.put(end)
  }
  if (detail) {
    out.copy(node.end)
    out.put(')')
  }
}

function calleeName(callee: Node): string {
  if (callee.type === 'Identifier') return callee['name']
  if (callee.type === 'MemberExpression' && !callee['computed']) return callee['property'].name
  return callee.type === 'Super' ? 'super' : ''
}

/**
 * `a.b(x)` as `($hd.r(a,"b",7),a.b(x))`, `f(x)` as `($hd.vr(…,f),f(x))`, and the same with `new`: where the callee can be written twice, this
 * keeps messages such as "a.b is not a function". False if it cannot.
 */
function emitBefore(r: Rewriting, node: Node, callee: Node): boolean {
  const { out } = r
  if (r.chained.has(node) || node['optional'] || r.aroundBase.has(callee)) return false
  let text: string
  if (callee.type === 'Identifier') {
    if (r.scopes.tracked(callee) === undefined) return false
    text = readOf(r, callee)
  } else {
    if (callee.type !== 'MemberExpression' || !r.isSimple(callee['object']) || !isShared(r, callee['object'])) return false
    if (callee['computed'] && !isSimpleKey(callee['property'])) return false
    const key = callee['computed'] ? readOf(r, callee['property']) : propertyName(callee)
    text = `${r.call('r')}${readOf(r, callee['object'])},${key},${r.site(callee['property'].start)})`
  }
  out.copy(node.start)
  out.put(`(${text},`)
  for (const argument of node['arguments'] as Node[]) r.emit(argument)
  out.copy(node.end)
  out.put(')')
  return true
}

/** `$hd.at(Atomics,7).load(a,0)`. */
function emitAtomics(r: Rewriting, node: Node, callee: Node): boolean {
  if (!r.elements || callee.type !== 'MemberExpression' || callee['computed'] || !r.isGlobal(callee['object'], 'Atomics')) return false
  r.wrap(callee['object'], r.call('at'), `,${r.site(callee['property'].start)})`)
  for (const argument of node['arguments'] as Node[]) r.emit(argument)
  return true
}

/** Writes calls that have a hook of their own; false if this is none. */
function emitSpecial(r: Rewriting, node: Node, callee: Node): boolean {
  if (callee.type !== 'MemberExpression' || callee['computed'] || callee['property'].type !== 'Identifier') return false
  const base = callee['object'] as Node
  const name = callee['property'].name as string
  if (base.type === 'Identifier' && CLOCKS.get(base['name'])?.includes(name) && r.isGlobal(base, base['name'])) {
    r.wrap(base, r.call('t'), `,${r.site(callee['property'].start)})`)
    for (const argument of node['arguments'] as Node[]) r.emit(argument)
    return true
  }
  if (r.isGlobal(base, 'Object')) return emitObjectFunction(r, node, name)
  if (name === 'stringify' && r.isGlobal(base, 'JSON')) return emitStringify(r, node)
  if (!COLLECTION_METHODS.has(name) || !isShared(r, base) || !mayWrapBase(r, callee)) return false
  return emitCollectionCall(r, node, callee, name)
}

function emitCollectionCall(r: Rewriting, node: Node, callee: Node, name: string): boolean {
  const { out } = r
  const base = callee['object'] as Node
  const args = node['arguments'] as readonly Node[]
  const quoted = JSON.stringify(name)
  const around = r.aroundBase.get(callee)
  if (args.length === 0) {
    const site = r.site(callee['property'].start)
    if (around !== undefined) openAround(r, callee)
    out.copy(callee.start)
    out.open(r.call('m'))
    emitBase(r, callee)
    out.put(`,${quoted},${site})${around ?? ''}`)
    emitDot(r, callee)
    return true
  }
  const first = args[0]!
  const keyed = args.length > 1 && KEYED_METHODS.has(name) && first.type !== 'SpreadElement'
  const writtenOut = r.writtenOut.get(callee)
  const needsBase = writtenOut === undefined && !r.isSimple(base)
  const needsKey = keyed && !isSimpleKey(first)
  if ((needsBase || needsKey) && !r.frame.place) return false
  const baseTemporary = needsBase ? r.temporary() : undefined
  const keyTemporary = needsKey ? r.temporary() : undefined
  const site = r.site(callee['property'].start)
  out.copy(callee.start)
  if (around !== undefined) openAround(r, callee)
  if (baseTemporary !== undefined) out.put(around === undefined ? `(${baseTemporary}=` : `${baseTemporary}=`)
  emitBase(r, callee)
  if (around !== undefined || baseTemporary !== undefined) out.put(around ?? ')')
  emitDot(r, callee)
  for (const [i, argument] of args.entries()) {
    if (i < args.length - 1) {
      if (i === 0 && keyTemporary !== undefined) r.wrap(argument, `${keyTemporary}=`, '')
      else r.emit(argument)
      continue
    }
    const key = keyed ? `${keyTemporary ?? r.text(first)},` : ''
    const before = `${r.call(keyed ? 'h' : 'g')}${writtenOut ?? baseTemporary ?? r.text(base)},${quoted},${site},${key}`
    if (argument.type === 'SpreadElement') {
      const spread = r.site(argument.start)
      r.wrap(argument['argument'], before + r.call('i'), `,${spread}))`)
    } else r.wrap(argument, before, ')')
  }
  r.release(keyTemporary)
  r.release(baseTemporary)
  return true
}

/** `JSON.stringify($hd.j(x,7))`. */
function emitStringify(r: Rewriting, node: Node): boolean {
  const [first, ...rest] = node['arguments'] as readonly Node[]
  if (first === undefined || first.type === 'SpreadElement') return false
  r.wrap(first, r.call('j'), `,${r.site(first.start)})`)
  for (const argument of rest) r.emit(argument)
  return true
}

function emitObjectFunction(r: Rewriting, node: Node, name: string): boolean {
  const { out } = r
  const args = node['arguments'] as readonly Node[]
  const [first, ...rest] = args
  if (first === undefined || args.some((argument) => argument.type === 'SpreadElement')) return false
  if (READS_ALL.has(name)) {
    r.wrap(first, r.call('o'), `,${r.site(first.start)})`)
    for (const argument of rest) r.emit(argument)
    return true
  }
  if (name === 'defineProperty' && isExports(first)) {
    // Importers of CommonJS modules find the exports by the text of these calls.
    out.copy(node.end)
    return true
  }
  if (name !== 'assign' || rest.length === 0) return false
  const simple = r.isSimple(first)
  const base = simple ? r.text(first) : r.temporary()
  if (base === undefined) return false
  if (simple) r.emit(first)
  else r.wrap(first, `${base}=`, '')
  for (const source of rest) r.wrap(source, `${r.call('f')}${base},${r.site(source.start)},`, ')')
  if (!simple) r.release(base)
  return true
}

const isExports = (node: Node): boolean =>
  (node.type === 'Identifier' && node['name'] === 'exports') ||
  (node.type === 'MemberExpression' && node['object'].name === 'module' && node['property'].name === 'exports')

/** `new a.b(x)`: the callee must not contain a call outside parentheses. */
export function emitNew(r: Rewriting, node: Node): void {
  const { out } = r
  const callee = node['callee'] as Node
  const args = node['arguments'] as readonly Node[]
  out.copy(node.start)
  if (r.options.detail) out.put(`(${r.call('c')}${r.site(callee.start)},${JSON.stringify(calleeName(callee))}),`)
  if (r.accesses && args.length === 0 && r.isGlobal(callee, 'Date')) r.wrap(callee, `(${r.call('t')}`, `,${r.site(callee.start)}))`)
  else if (!r.accesses || !emitBefore(r, node, callee)) {
    if (callee.type === 'MemberExpression') r.wrap(callee, '(', ')')
    else r.emit(callee)
    for (const argument of args) r.emit(argument)
  }
  if (r.options.detail) {
    out.copy(node.end)
    out.put(')')
  }
}
