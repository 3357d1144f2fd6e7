/** Properties: the hooks read and write them. Private names only the program itself can; there the hook stands beside. `super.x` is not followed. */
import { nextToken, type Node } from '../syntax.ts'
import { native } from './native.ts'
import type { Writing, Written } from './writing.ts'

/** Globals whose properties programs do not share data through. */
const BUILT_IN = new Set(
  (
    'Math JSON Object Array Number String Symbol Boolean BigInt Promise Reflect RegExp Date Error TypeError RangeError SyntaxError Function Map Set ' +
    'WeakMap WeakSet Proxy ArrayBuffer SharedArrayBuffer DataView Uint8Array Buffer Atomics Intl console performance process'
  ).split(' '),
)

export const isPrivate = (node: Node): boolean => node['property'].type === 'PrivateIdentifier'
export const isSuper = (node: Node): boolean => node['object'].type === 'Super'
const privateName = (node: Node): string => `#${node['property'].name}`

/** Values nobody else has yet. */
const FRESH = new Set(
  'Literal TemplateLiteral ArrayExpression ObjectExpression FunctionExpression ArrowFunctionExpression ClassExpression'.split(' '),
)

/** May the properties of an expression be what programs share data through? As in ../members.ts. */
export const isShared = (w: Writing, base: Node): boolean =>
  !FRESH.has(base.type) && !(base.type === 'Identifier' && BUILT_IN.has(base['name']) && w.scopes.variable(base) === undefined)

/** A key and its tag. */
export function keyOf(w: Writing, node: Node): Written {
  return node['computed'] ? w.expression(node['property']) : { code: `"${node['property'].name}"`, tag: '0' }
}

/** The line breaks before a base, between it and its key, and after the key. */
export function gaps(w: Writing, node: Node): readonly [string, string, string] {
  const { object, property } = node as Node & { object: Node; property: Node }
  return [w.breaks(node.start, object.start), w.breaks(object.end, property.start), w.breaks(property.end, node.end)]
}

/** `base,tag,key,tag`. */
export function baseAndKey(w: Writing, node: Node): string {
  const base = w.expression(node['object'])
  const key = keyOf(w, node)
  const [before, between, after] = gaps(w, node)
  return `${before}${base.code},${base.tag},${between}${key.code},${key.tag}${after}`
}

export function readMember(w: Writing, node: Node): Written {
  const base = node['object'] as Node
  if (isSuper(node)) return w.opaque(native(w, node))
  if (isPrivate(node)) {
    if (!w.frame.place && !w.isStable(base)) return w.opaque(native(w, node))
    const { temporaries } = w.frame
    const held = hold(w, base, w.expression(base))
    const code = privateRead(w, node, held, w.breaks(node.start, node.end) === '' ? '' : gaps(w, node).join(''))
    w.release(temporaries)
    return { code, tag: w.reg }
  }
  if (!node['computed'] && base.type === 'Identifier' && !isShared(w, base)) return { code: w.text(node), tag: '0' }
  return { code: readCode(w, node, w.expression(base)), tag: w.reg }
}

/** `$hd.G(base,tag,key,tag,7)`, where base and tag are given. */
export function readCode(w: Writing, node: Node, { code, tag }: Written): string {
  const [before, between, after] = gaps(w, node)
  const line = onItsLine(w, { code: before + code, tag }, between)
  const key = keyOf(w, node)
  const breaks = line.before === '' ? between : ''
  const text = `${w.call('G')}${line.base.code},${line.base.tag},${breaks}${key.code},${key.tag}${after},${w.site(node['property'].start)})`
  return line.before === '' ? text : `(${line.before}${text})`
}

/**
 * Errors and stack traces have the line of the name after the dot. Where that is another one than that of the base, the base is evaluated before:
 * `($t1=BASE,$t2=TAG,` and, in the line of the name, `$hd.G($t1,$t2,"name",0,7))`.
 */
export function onItsLine(w: Writing, base: Written, breaks: string): { readonly before: string; readonly base: Written } {
  if (breaks === '' || !w.frame.place) return { before: '', base }
  const { temporaries } = w.frame
  const held = hold(w, undefined, base)
  // They are read before anything else can run.
  w.release(temporaries)
  return { before: `${held.first},${held.firstTag},${breaks}`, base: { code: held.again, tag: held.tag } }
}

/** A value that is needed more than once: `first` and `firstTag` at its first use, `again` and `tag` later. */
export interface Held {
  readonly first: string
  readonly firstTag: string
  readonly again: string
  readonly tag: string
}

/** Takes temporaries unless the expression can be written again. Needs a place for them. */
export function hold(w: Writing, node: Node | undefined, { code, tag }: Written): Held {
  if (node !== undefined && w.isStable(node) && tag !== w.reg) return { first: code, firstTag: tag, again: code, tag }
  const value = w.temporary()
  if (tag === '0') return { first: `${value}=${code}`, firstTag: '0', again: value, tag: '0' }
  const tags = w.temporary()
  return { first: `${value}=${code}`, firstTag: `${tags}=${tag}`, again: value, tag: tags }
}

function privateRead(w: Writing, node: Node, held: Held, breaks: string): string {
  const name = privateName(node)
  return `${w.call('Gp')}${breaks}${held.first},${held.firstTag},"${name}",${w.site(node['property'].start)},${held.again}.${name})`
}

/** Used a second time: nothing is evaluated anew. */
const again = ({ again: value, tag }: Held): Held => ({ first: value, firstTag: tag, again: value, tag })

const LITERAL_KEY: Held = { first: '', firstTag: '0', again: '', tag: '0' }

function heldKey(w: Writing, node: Node): Held {
  if (node['computed']) {
    const { property } = node as Node & { property: Node }
    if (property.type === 'Literal' && typeof property['value'] === 'string') {
      const text = w.text(property)
      if (!/[\n\r\u2028\u2029]/.test(text)) return { ...LITERAL_KEY, first: text, again: text }
    }
    return hold(w, property, w.expression(property))
  }
  const text = `"${node['property'].name}"`
  return { ...LITERAL_KEY, first: text, again: text }
}

/** `a.b = v`, `a.b += v`, `a.b ||= v`. */
export function assignMember(w: Writing, node: Node): Written {
  const left = node['left'] as Node
  const right = node['right'] as Node
  const operator = node['operator'] as string
  const site = (): number => w.site(left['property'].start)
  const hint = left['computed'] ? '' : (left['property'].name as string)
  const outer = w.breaks(node.start, left.start)
  const value = (): Written => {
    w.hint = hint
    const { code, tag } = w.expression(right)
    return { code: w.breaks(left.end, right.start) + code + w.breaks(right.end, node.end), tag }
  }
  if (operator === '=' && isSuper(left)) {
    const { code, tag } = value()
    return { code: `(${outer}${native(w, left)}=${code})`, tag }
  }
  if (isSuper(left) || (!w.frame.place && (operator !== '=' || isPrivate(left)))) return w.opaque(nativeAssignment(w, node))
  if (operator === '=' && !isPrivate(left)) {
    const target = `${w.call('P')}${outer}${baseAndKey(w, left)}`
    const { code, tag } = value()
    return { code: `${target},${code},${tag},${site()},${w.strictness})`, tag: w.reg }
  }
  const { temporaries } = w.frame
  const base = hold(w, left['object'], w.expression(left['object']))
  const key = isPrivate(left) ? LITERAL_KEY : heldKey(w, left)
  const [before, between, after] = gaps(w, left)
  const name = isPrivate(left) ? privateName(left) : ''
  const breaks = outer + before + between + after
  const read = (b: Held, k: Held): string =>
    name !== '' ? privateRead(w, left, b, '') : `${w.call('G')}${b.first},${b.firstTag},${k.first},${k.firstTag},${site()})`
  const write = (b: Held, k: Held, v: () => Written): string => {
    if (name === '') {
      const target = `${w.call('P')}${b.first},${b.firstTag},${k.first},${k.firstTag},`
      const { code, tag } = v()
      return `${target}${code},${tag},${site()},${w.strictness})`
    }
    const start = b.first === b.again ? b.again : `(${b.first},${b.firstTag},${b.again})`
    const { code, tag } = v()
    return `(${start}.${name}=${w.call('Pp')}${b.again},${b.tag},"${name}",${site()},${code},${tag}))`
  }
  let code: string
  if (operator === '=') code = write(base, key, () => prefixed(breaks, value()))
  else if (operator === '||=' || operator === '&&=' || operator === '??=') {
    const kind = operator.slice(0, -1)
    const test = `${w.call('b')}${w.site(nextToken(w.source, left.end, ')'))},"${kind}",${read(base, key)},${w.reg})`
    code = `(${test}${kind}${write(again(base), again(key), () => prefixed(breaks, value()))})`
  } else
    code = write(base, key, () => {
      const old = read(again(base), again(key))
      const { code: operand, tag } = prefixed(breaks, value())
      return { code: `${w.call('B')}"${operator.slice(0, -1)}",${old},${w.reg},${operand},${tag})`, tag: w.reg }
    })
  w.release(temporaries)
  return { code, tag: w.reg }
}

const prefixed = (breaks: string, { code, tag }: Written): Written => ({ code: breaks + code, tag })

/** The target stays what it is; what is in it is written as usual. */
function nativeAssignment(w: Writing, node: Node): string {
  return native(w, node, (part) => (part === node['left'] ? native(w, part) : w.operand(part)))
}

/** `a.b++` and the other three. */
export function updateMember(w: Writing, node: Node, used: boolean): Written {
  const argument = node['argument'] as Node
  const add = node['operator'] === '++' ? '1' : '-1'
  const site = (): number => w.site(argument['property'].start)
  const simple = w.isStable(argument['object']) && (node['prefix'] || !used)
  if (isSuper(argument) || (isPrivate(argument) && !w.frame.place && !simple)) return w.opaque(native(w, node, (part) => native(w, part)))
  const outer = w.breaks(node.start, argument.start) + w.breaks(argument.end, node.end)
  if (!isPrivate(argument)) {
    const target = baseAndKey(w, argument)
    return { code: `${w.call('U')}${outer}${target},${add},${node['prefix'] ? 1 : 0},${site()},${w.strictness})`, tag: w.reg }
  }
  const { temporaries } = w.frame
  const base = hold(w, argument['object'], w.expression(argument['object']))
  const name = privateName(argument)
  const read = privateRead(w, argument, base, outer + gaps(w, argument).join(''))
  const target = `${base.again}.${name}=${w.call('Pp')}${base.again},${base.tag},"${name}",${site()},${w.call('I')}`
  let code: string
  if (node['prefix'] || !used) {
    const value = w.temporary()
    code = `(${value}=${read},${target}${value},${w.reg},${add}),${w.reg}))`
    if (base.first === base.again) code = `(${target}${read},${w.reg},${add}),${w.reg}))`
  } else {
    const value = w.temporary()
    const tag = w.temporary()
    code = `(${value}=${w.call('J')}${read},${w.reg}),${tag}=${w.reg},${target}${value},${tag},${add}),${w.reg}),${w.call('c')}${value},${tag}))`
  }
  w.release(temporaries)
  return { code, tag: w.reg }
}

/** What is not a property of something, under a `delete`. */
const plain = (w: Writing, argument: Node): string =>
  argument.type === 'Identifier' ? w.text(argument) : argument.type === 'MemberExpression' ? native(w, argument) : w.operand(argument)

/** `delete a.b`. Of a chain: ./chains.ts. */
export function deleteMember(w: Writing, node: Node): Written {
  const argument = node['argument'] as Node
  if (argument.type !== 'MemberExpression' || isSuper(argument))
    return { code: `(delete ${w.breaks(node.start, argument.start)}${plain(w, argument)}${w.breaks(argument.end, node.end)})`, tag: '0' }
  const target = w.breaks(node.start, argument.start) + baseAndKey(w, argument)
  return {
    code: `${w.call('D')}${target}${w.breaks(argument.end, node.end)},${w.site(argument['property'].start)},${w.strictness})`,
    tag: w.reg,
  }
}
