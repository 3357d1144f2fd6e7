/** Calls: of functions (`C`), of methods (`M`, `F` and `Mf`), of constructors (`W`). Those of `require` keep their text, and `super()` is not followed. */
import { isFunction, type Node } from '../syntax.ts'
import { isRequire } from './exported.ts'
import { gaps, hold, isPrivate, isShared, isSuper, keyOf, onItsLine } from './members.ts'
import { native, quoted } from './native.ts'
import { readVariable } from './variables.ts'
import type { Writing, Written } from './writing.ts'

/** Which functions tell the time, by the global they are in. */
const CLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Date', ['now']],
  ['performance', ['now']],
  ['process', ['hrtime', 'uptime']],
])

/** `eval` is one only under this name; importers of CommonJS modules look for the text of `require`. */
const NOT_FUNCTIONS = new Set(['eval', 'require', 'arguments'])

/** Does evaluating it do nothing that the program could notice? */
function isHarmless(node: Node | null): boolean {
  if (node === null) return true
  switch (node.type) {
    case 'Identifier':
    case 'Literal':
    case 'ThisExpression':
      return true
    case 'TemplateLiteral':
      return node['expressions'].length === 0
    case 'ArrayExpression':
      return (node['elements'] as (Node | null)[]).every(isHarmless)
    case 'ObjectExpression':
      return (node['properties'] as Node[]).every((p) => p.type === 'Property' && !p['computed'] && isHarmless(p['value']))
    default:
      return isFunction(node)
  }
}

/** Does it leave the register alone? */
const isQuiet = (w: Writing, node: Node): boolean =>
  node.type === 'Identifier'
    ? w.scopes.tracked(node) === undefined && readVariable(w, node).tag !== w.reg
    : node.type === 'Literal' || node.type === 'ThisExpression' || isFunction(node)

/** Can what stands to the right of an expression change the variable of its tag? */
const isLasting = (w: Writing, node: Node): boolean => node.type === 'Identifier' && w.scopes.variable(node)?.written === false

export interface Kept {
  readonly code: string
  readonly tag: string | undefined
}

/**
 * Tags of values that are evaluated one after the other, for a place after the last of them: what the register holds is put away where it would not
 * last. Call it for each value of the list in turn; temporaries are freed by the caller. `undefined`: the tag is lost.
 */
export function keepTag(w: Writing, list: readonly (Node | null)[], nth: number, value: Written): Kept {
  if (value.tag === '0') return value
  if (value.tag !== w.reg && isLasting(w, list[nth]!)) return value
  let quiet = true
  for (let i = nth + 1; i < list.length && quiet; i++) quiet = list[i] === null || isQuiet(w, list[i]!)
  if (quiet) return value
  if (!w.frame.place) return { code: value.code, tag: undefined }
  const tag = w.temporary()
  return { code: `${w.call('p')}${value.code},${tag}=${value.tag})`, tag }
}

/** `[x,y],[tag,tag]`. The temporaries must last until the call is made: the caller frees them. */
export function argumentList(w: Writing, list: readonly Node[], from: number, to: number): string {
  let at = from
  const tags: (string | undefined)[] = []
  let spread = false
  const values = list.map((argument, i) => {
    const breaks = w.breaks(at, argument.start)
    at = argument.end
    if (argument.type === 'SpreadElement') {
      spread = true
      return breaks + spreadCode(w, argument, 'Q')
    }
    const { code, tag } = keepTag(w, list, i, w.expression(argument))
    tags.push(tag)
    return breaks + code
  })
  const text = `[${values.join(',')}${w.breaks(at, to)}]`
  return spread || tags.includes(undefined) ? `${text},undefined` : `${text},[${tags.join(',')}]`
}

/** `...$hd.Q(list,tag,7)`. */
export function spreadCode(w: Writing, node: Node, hook: 'Q' | 'Qo'): string {
  const argument = node['argument'] as Node
  const { code, tag } = w.expression(argument)
  const breaks = w.breaks(node.start, argument.start)
  return `...${w.call(hook)}${breaks}${code},${tag},${w.site(argument.start)}${w.breaks(argument.end, node.end)})`
}

export function callCode(w: Writing, node: Node): Written {
  const callee = node['callee'] as Node
  if (callee.type === 'Super') return w.opaque(native(w, node, (part) => (part === callee ? 'super' : argumentCode(w, part))))
  if (isRequire(w, node)) return { code: w.text(node), tag: '0' }
  if (callee.type === 'ChainExpression') {
    // `(a?.b)()` has `a` as its `this`.
    return w.opaque(native(w, node, (part) => (part === callee ? nativeChain(w, callee['expression']) : argumentCode(w, part))))
  }
  const { temporaries } = w.frame
  const code = callee.type === 'MemberExpression' ? methodCall(w, node, callee) : functionCall(w, node, callee)
  w.release(temporaries)
  return { code, tag: w.reg }
}

/** In a call that is left as it is. */
export const argumentCode = (w: Writing, part: Node): string =>
  part.type === 'SpreadElement' ? spreadCode(w, part, 'Q') : w.expression(part).code

/** An optional chain as it is, with what is in it. */
export function nativeChain(w: Writing, link: Node): string {
  const base = (link['object'] ?? link['callee']) as Node | undefined
  if (base === undefined || (link.type !== 'MemberExpression' && link.type !== 'CallExpression')) return w.operand(link)
  return native(w, link, (part) => (part === base ? (part.type === 'Super' ? 'super' : nativeChain(w, part)) : argumentCode(w, part)))
}

function functionCall(w: Writing, node: Node, callee: Node): string {
  let { code, tag } = w.expression(callee)
  if (callee.type === 'Identifier' && !NOT_FUNCTIONS.has(callee['name']) && w.watched.function(callee['name']))
    code = `${w.call('kf')}${quoted(callee['name'])},${code},${w.calls++})`
  return functionCallOf(w, node, callee, { code: w.breaks(node.start, callee.start) + code, tag })
}

/** `$hd.C(7,"f",f,tag,[x],[tag])`, where callee and tag are given. */
export function functionCallOf(w: Writing, node: Node, callee: Node, { code, tag }: Written): string {
  const site = w.site(callee.start)
  return `${w.call('C')}${site},${calleeText(callee)},${code},${tag},${argumentList(w, node['arguments'], callee.end, node.end)})`
}

/** The base, in what looks at watched calls and at the clock. */
export function aroundBase(w: Writing, callee: Node, code: string): string {
  if (callee['computed'] || isPrivate(callee)) return code
  const base = callee['object'] as Node
  const name = callee['property'].name as string
  if (base.type === 'Identifier' && CLOCKS.get(base['name'])?.includes(name) && w.scopes.variable(base) === undefined)
    code = `${w.call('t')}${code},${w.site(callee['property'].start)})`
  return w.watched.method(name) && isShared(w, base) ? `${w.call('k')}${code},${quoted(name)},${w.calls++})` : code
}

function methodCall(w: Writing, node: Node, callee: Node): string {
  const base = callee['object'] as Node
  const args = (): string => argumentList(w, node['arguments'], callee.end, node.end)
  const text = calleeText(callee)
  const site = w.site(callee['property'].start)
  const outer = w.breaks(node.start, callee.start)
  if (isSuper(callee)) return `${w.call('Mf')}${site},${text},${outer}${w.call('Fv')}this,0,${native(w, callee)}),${args()})`
  if (isPrivate(callee)) {
    if (!w.frame.place && !w.isStable(base))
      return w.opaque(native(w, node, (part) => (part === callee ? native(w, part) : argumentCode(w, part)))).code
    const { first, firstTag, again } = hold(w, base, w.expression(base))
    const breaks = outer + gaps(w, callee).join('')
    return `${w.call('Mf')}${site},${text},${breaks}${w.call('Fv')}${first},${firstTag},${again}.#${callee['property'].name}),${args()})`
  }
  const { code, tag } = w.expression(base)
  return methodCallOf(w, node, callee, { code: outer + w.breaks(callee.start, base.start) + code, tag }, site)
}

/** `$hd.M(7,"a.f",a,tag,"f",0,[x],[tag])`, where base and tag are given. */
export function methodCallOf(w: Writing, node: Node, callee: Node, base: Written, site = w.site(callee['property'].start)): string {
  const list = node['arguments'] as readonly Node[]
  const property = callee['property'] as Node
  const text = calleeText(callee)
  const between = w.breaks(callee['object'].end, property.start)
  const line = onItsLine(w, { code: aroundBase(w, callee, base.code), tag: base.tag }, between)
  const key = keyOf(w, callee)
  const breaks = line.before === '' ? between : ''
  const target = `${line.base.code},${line.base.tag},${breaks}${key.code},${key.tag}${w.breaks(property.end, callee.end)}`
  const args = argumentList(w, list, callee.end, node.end)
  const simple = list.every((argument) => argument.type !== 'SpreadElement' && isHarmless(argument))
  const code = simple
    ? `${w.call('M')}${site},${text},${target},${args})`
    : `${w.call('Mf')}${site},${text},${w.call('F')}${target},${site}),${args})`
  return line.before === '' ? code : `(${line.before}${code})`
}

/** `new f(x)`. */
export function newCode(w: Writing, node: Node): Written {
  const callee = node['callee'] as Node
  const list = node['arguments'] as readonly Node[]
  const { temporaries } = w.frame
  const site = w.site(callee.start)
  let { code, tag } = w.expression(callee)
  if (list.length === 0 && w.isGlobal(callee, 'Date')) code = `${w.call('t')}${code},${w.site(callee.start)})`
  const before = `${w.call('W')}${site},${calleeText(callee)},${w.breaks(node.start, callee.start)}${code},${tag},`
  code = `${before}${argumentList(w, list, callee.end, node.end)})`
  w.release(temporaries)
  return { code, tag: w.reg }
}

/** The callee as the engine's messages quote it, as a string literal. */
const calleeText = (callee: Node): string => quoted(shown(callee))

function shown(node: Node): string {
  switch (node.type) {
    case 'Identifier':
      return node['name']
    case 'ThisExpression':
      return 'this'
    case 'Super':
      return '(intermediate value)'
    case 'Literal':
      return typeof node['value'] === 'string' ? `"${node['value']}"` : String(node['raw'])
    case 'ChainExpression':
      return shown(node['expression'])
    case 'CallExpression':
      return `${shown(node['callee'])}(...)`
    case 'MemberExpression': {
      const base = shown(node['object'])
      const property = node['property'] as Node
      const mark = node['optional'] ? '?.' : ''
      if (!node['computed']) return `${base}${mark || '.'}${property.type === 'PrivateIdentifier' ? '#' : ''}${property['name']}`
      if (property.type === 'Literal' && typeof property['value'] === 'string') return `${base}${mark || '.'}${property['value']}`
      return `${base}${mark}[${shown(property)}]`
    }
    default:
      return '(intermediate value)'
  }
}

/** `a.b` under a tag of a template: only what is in it is written. */
export const tagCode = (w: Writing, tag: Node): string =>
  tag.type === 'MemberExpression' || tag.type === 'ChainExpression'
    ? nativeChain(w, tag.type === 'ChainExpression' ? tag['expression'] : tag)
    : w.operand(tag)
