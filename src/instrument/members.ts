/**
 * Properties: reads, writes, updates, deletions, `in`. The program's own loads and stores stay; a hook stands where the base (or the value to
 * be stored) is already evaluated.
 */
import { emitBase, emitDot, mayWrapBase } from './chains.ts'
import type { Rewriting } from './rewriting.ts'
import { FRESH, isShared, isSimpleKey } from './shared.ts'
import { isFunction, memberToken, nextToken, type Node } from './syntax.ts'

/** `a[i]`, where the key may be a number. */
const isElement = (node: Node): boolean =>
  node['computed'] &&
  !(node['property'].type === 'Literal' && typeof node['property'].value !== 'number' && !/^\d+$/.test(String(node['property'].value))) &&
  node['property'].type !== 'TemplateLiteral'

/** Is this access written with hooks? */
const isWatched = (r: Rewriting, node: Node): boolean => r.accesses || (r.elements && isElement(node))

export function propertyName(node: Node): string {
  const { property } = node as Node & { property: Node }
  return property.type === 'PrivateIdentifier' ? `"#${property['name']}"` : `"${property['name']}"`
}

/** A target inside a pattern: `[$hd.et(a)[i]]=…`. What `et` returns stores by itself, since there is no value yet to call `ew` with. */
export function emitPatternTarget(r: Rewriting, node: Node): void {
  const base = node['object'] as Node
  if (isWatched(r, node) && isElement(node) && base.type !== 'Super') r.wrap(base, r.call('et'), ')')
  else r.emit(base)
  if (node['computed']) r.emit(node['property'])
}

/** `$hd.r(a,"b",7).b`, or another hook that returns its base. */
export function emitRead(r: Rewriting, node: Node, hook = isElement(node) ? 'er' : 'r'): void {
  const { out, source } = r
  const base = node['object'] as Node
  const property = node['property'] as Node
  const writtenOut = r.writtenOut.has(node)
  const lateKey = node['optional'] && !writtenOut && node['computed'] && !isSimpleKey(property)
  const around = hook === 'r' ? r.aroundBase.get(node) : undefined
  if (!isWatched(r, node) || !isShared(r, base) || !mayWrapBase(r, node) || lateKey) {
    if (around !== undefined) openAround(r, node)
    emitBase(r, node)
    if (around !== undefined) out.put(around)
    emitDot(r, node)
    if (node['computed']) r.emit(property)
    return
  }
  const site = r.site(property.start)
  if (around !== undefined) openAround(r, node)
  else out.copy(node.start)
  out.open(r.call(hook))
  emitBase(r, node)
  if (!node['computed']) {
    out.put(`,${propertyName(node)},${site})${around ?? ''}`)
    emitDot(r, node)
  } else if (isSimpleKey(property)) {
    out.put(`,${r.text(property)},${site})`)
    r.emit(property)
  } else {
    const key = r.key()
    out.drop(nextToken(source, out.at) + 1)
    out.put(`,${key}=`)
    if (property.type === 'SequenceExpression') out.put('(')
    r.emit(property)
    out.copy(node.end - 1)
    if (property.type === 'SequenceExpression') out.put(')')
    out.drop(node.end)
    out.put(`,${site})[${key}]`)
  }
  out.copy(node.end)
}

/** `$hd.k(`: what a called method is looked for in. */
export function openAround(r: Rewriting, node: Node): void {
  r.usesHooks = true
  r.out.copy(node.start)
  r.out.open(r.call('k'))
}

/** How to write base and key of a target again, and the temporaries that hold them. */
interface Target {
  readonly base: string
  readonly key: string
  /** `.b`, `[k]` or `.#b`, to be put after the base. */
  readonly access: string
  readonly baseTemporary: string | undefined
  readonly keyTemporary: string | undefined
}

/** Temporaries are taken where base or key cannot be written twice; `lasting`: where the base must be the same after code has run. */
function target(r: Rewriting, node: Node, lasting: boolean): Target | undefined {
  const base = node['object'] as Node
  const property = node['property'] as Node
  const simpleKey = !node['computed'] || isSimpleKey(property)
  const lastingKey = !node['computed'] || property.type === 'Literal' || r.isStable(property)
  const needsBase = !(r.isStable(base) || (r.isSimple(base) && !lasting && simpleKey))
  const needsKey = !simpleKey || (lasting && !lastingKey)
  if ((needsBase || needsKey) && !r.frame.place) return undefined
  const baseTemporary = needsBase ? r.temporary() : undefined
  const keyTemporary = needsKey ? r.temporary() : undefined
  const key = !node['computed'] ? propertyName(node) : (keyTemporary ?? r.text(property))
  return {
    base: baseTemporary ?? r.text(base),
    key,
    access: node['computed'] ? `[${key}]` : `.${r.text(property)}`,
    baseTemporary,
    keyTemporary,
  }
}

/** Writes the target of an assignment and leaves base and key in their temporaries: `($t1=base)[$t2=key]`. */
function emitTarget(r: Rewriting, node: Node, { baseTemporary, keyTemporary }: Target): void {
  const { out, source } = r
  const element = isElement(node)
  out.copy(node.start)
  if (element) out.open(r.call('et') + (baseTemporary === undefined ? '' : `${baseTemporary}=`))
  else if (baseTemporary !== undefined) out.put(`(${baseTemporary}=`)
  r.emit(node['object'])
  const token = memberToken(source, node)
  out.copy(token)
  if (element || baseTemporary !== undefined) out.put(')')
  if (node['computed']) {
    out.copy(token + 1)
    if (keyTemporary !== undefined) {
      out.put(`${keyTemporary}=(`)
      r.emit(node['property'])
      out.copy(node.end - 1)
      out.put(')')
    } else r.emit(node['property'])
  }
  out.copy(node.end)
}

/** `a.b = v`, `a.b += v`, `a.b ||= v`. */
export function emitMemberAssignment(r: Rewriting, node: Node): void {
  const { out, source } = r
  const left = node['left'] as Node
  const right = node['right'] as Node
  const operator = node['operator'] as string
  const logical = operator === '||=' || operator === '&&=' || operator === '??='
  const again = !isWatched(r, left) || left['object'].type === 'Super' ? undefined : target(r, left, logical)
  const element = isElement(left)
  const hint = left['computed'] || !isFunction(right) ? '' : (left['property'].name as string)
  if (again === undefined) {
    r.emit(left['object'])
    if (left['computed']) r.emit(left['property'])
    r.hint = hint
    r.emit(right)
    return
  }
  const { base, key, access, baseTemporary, keyTemporary } = again
  const operatorAt = nextToken(source, left.end, ')')
  if (logical) {
    out.copy(node.start)
    out.put('(')
    emitLogicalRead(r, left, again)
    out.copy(operatorAt)
    out.drop(operatorAt + operator.length)
    const stored = element ? `${r.call('et')}${base})${access}=${r.call('ew')}` : `${base}${access}=${r.call('w')}`
    out.put(`${operator.slice(0, -1)}(${stored}${base},${key},${r.site(left['property'].start)},`)
    r.emit(right)
    out.copy(node.end)
    out.put(')))')
  } else {
    emitTarget(r, left, again)
    out.copy(operatorAt)
    const write = `${r.call(element ? 'ew' : 'w')}${base},${key},`
    if (operator === '=') {
      out.copy(operatorAt + 1)
      out.put(`${write}${r.site(left['property'].start)},`)
    } else {
      out.drop(operatorAt + operator.length)
      const read = r.site(left['property'].start)
      out.put(
        `=${write}${r.site(left['property'].start)},${r.call(element ? 'er' : 'r')}${base},${key},${read})${access}${operator.slice(0, -1)}(`,
      )
    }
    r.hint = hint
    r.emit(right)
    out.copy(node.end)
    out.put(operator === '=' ? ')' : '))')
  }
  r.release(keyTemporary)
  r.release(baseTemporary)
}

/** `$hd.r($t1=base,$t2=key,7)[$t2]`: the read of a logical assignment. */
function emitLogicalRead(r: Rewriting, left: Node, { baseTemporary, keyTemporary, key }: Target): void {
  const { out, source } = r
  const site = r.site(left['property'].start)
  out.copy(left.start)
  out.put(r.call(isElement(left) ? 'er' : 'r') + (baseTemporary === undefined ? '' : `${baseTemporary}=`))
  r.emit(left['object'])
  const token = memberToken(source, left)
  out.copy(token)
  if (keyTemporary === undefined) out.put(`,${key},${site})`)
  else {
    out.drop(token + 1)
    out.put(`,${keyTemporary}=(`)
    r.emit(left['property'])
    out.copy(left.end - 1)
    out.drop(left.end)
    out.put(`),${site})[${keyTemporary}]`)
  }
  // A computed key without a temporary is a literal or stable: copied as it is.
  out.copy(left.end)
}

/** `a.b++`: `$hd.u(a,"b",7,a.b++,1)`; of an element: `$hd.p($hd.en(a,i)?$hd.eu(a,i,7,1,0):$hd.u(a,i,7,a[i]++,1))`. */
export function emitMemberUpdate(r: Rewriting, node: Node): void {
  const { out, source } = r
  const argument = node['argument'] as Node
  const again = !isWatched(r, argument) || argument['object'].type === 'Super' ? undefined : target(r, argument, false)
  const element = isElement(argument)
  const inner = node['prefix'] ? nextToken(source, node.start + 2) : node.start
  // `++(f().b)` with a temporary would need its parentheses moved.
  if (again === undefined || ((again.baseTemporary || again.keyTemporary) && source[inner] === '(' && argument.start !== inner)) {
    r.release(again?.keyTemporary)
    r.release(again?.baseTemporary)
    r.emit(argument['object'])
    if (argument['computed']) r.emit(argument['property'])
    return
  }
  const { base, key, access, baseTemporary, keyTemporary } = again
  const site = r.site(argument['property'].start)
  const operator = node['operator'] as string
  const add = node['prefix'] ? 0 : operator === '++' ? 1 : -1
  const change = `${operator === '++' ? 1 : -1},${node['prefix'] ? 1 : 0}`
  const update = `${r.call('u')}${base},${key}`
  const either = `)?${r.call('eu')}${base},${key},${site},${change}):${update}`
  const question = `${r.call('p')}${r.call('en')}`
  out.copy(node.start)
  if (baseTemporary === undefined && keyTemporary === undefined) {
    out.open(`${element ? `${question}${base},${key}${either}` : update},${site},`)
    out.copy(argument.start)
    r.emit(argument['object'])
    if (argument['computed']) r.emit(argument['property'])
  } else {
    out.open((element ? question : r.call('u')) + (baseTemporary === undefined ? '' : `${baseTemporary}=`))
    if (node['prefix']) out.drop(node.start + 2)
    r.emit(argument['object'])
    const token = memberToken(source, argument)
    out.copy(token)
    if (keyTemporary !== undefined) {
      out.drop(token + 1)
      out.put(`,${keyTemporary}=(`)
      r.emit(argument['property'])
      out.copy(argument.end - 1)
      out.put(')')
    } else out.put(`,${key}`)
    // What is left of the member expression is written anew. Line breaks in it stay, but not before a `++`.
    const breaks = source.slice(out.at, argument.end).replace(/[^\n\r\u2028\u2029]/g, '')
    out.drop(argument.end)
    out.put(`${element ? either : ''},${site},${breaks}${node['prefix'] ? operator : ''}${base}${access}`)
  }
  out.copy(node.end)
  out.put(`,${add})${element ? ')' : ''}`)
  r.release(keyTemporary)
  r.release(baseTemporary)
}

/** `k in o` reads a property. */
export function emitIn(r: Rewriting, node: Node): void {
  const { out, source } = r
  const left = node['left'] as Node
  const right = node['right'] as Node
  const simple = isSimpleKey(left)
  const key = !r.accesses || left.type === 'PrivateIdentifier' || FRESH.has(right.type) ? undefined : simple ? r.text(left) : r.temporary()
  if (key === undefined) {
    r.emit(left)
    r.emit(right)
    return
  }
  const site = r.site(left.start)
  out.copy(node.start)
  if (!simple) out.put(`(${key}=`)
  r.emit(left)
  const operatorAt = nextToken(source, left.end, ')')
  out.copy(operatorAt)
  if (!simple) out.put(')')
  out.copy(operatorAt + 2)
  out.put(` ${r.call('r')}`)
  r.emit(right)
  out.copy(node.end)
  out.put(`,${key},${site})`)
  if (!simple) r.release(key)
}
