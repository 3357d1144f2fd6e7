/** Literals of arrays, objects and templates: what they are made of keeps its tags (`L`, `H`). */
import { isFunction, takesName, type Node } from '../syntax.ts'
import { keepTag, spreadCode, type Kept } from './calls.ts'
import { native, quoted } from './native.ts'
import type { Writing, Written } from './writing.ts'

export function templateCode(w: Writing, node: Node): Written {
  const quasis = node['quasis'] as Node[]
  const expressions = node['expressions'] as Node[]
  if (expressions.length === 0) return { code: w.text(node), tag: '0' }
  const strings = quasis.map((quasi) => quoted(quasi['value'].cooked))
  let code = `${w.call('H')}[${strings.join(',')}]`
  let at = node.start
  for (const part of expressions) {
    const breaks = w.breaks(at, part.start)
    at = part.end
    const value = w.expression(part)
    code += `,${breaks}${value.code},${value.tag}`
  }
  return { code: `${code}${w.breaks(at, node.end)})`, tag: w.reg }
}

/** What is spread, with the tag that `Q` or `Qo` gave it among those of the literal. */
function keptSpread(w: Writing, node: Node, hook: 'Q' | 'Qo', named: string[]): string {
  const code = spreadCode(w, node, hook)
  const tag = w.frame.place ? w.temporary() : '0'
  named.push('"..."', tag)
  return tag === '0' ? code : `...${w.call('p')}${code.slice(3)},${tag}=${w.reg})`
}

/** `$hd.L([x,1],7,0,$hd_x)`. */
export function arrayCode(w: Writing, node: Node): Written {
  const elements = node['elements'] as (Node | null)[]
  const { temporaries } = w.frame
  const lastSpread = elements.findLastIndex((element) => element?.type === 'SpreadElement')
  const named: string[] = []
  let at = node.start
  const values = elements.map((element, i) => {
    if (element === null) return ''
    const breaks = w.breaks(at, element.start)
    at = element.end
    if (element.type === 'SpreadElement') {
      return breaks + keptSpread(w, element, 'Q', named)
    }
    const { code, tag } = keepTag(w, elements, i, w.expression(element))
    if (i > lastSpread && lastSpread >= 0) named.push(String(i - elements.length), tag ?? '0')
    else if (tag !== '0' && tag !== undefined) named.push(String(i), tag)
    if (tag === undefined) named.push('"..."', '0')
    return breaks + code
  })
  const hole = elements.length > 0 && elements[elements.length - 1] === null ? ',' : ''
  const code = `${w.call('L')}[${values.join(',')}${hole}${w.breaks(at, node.end)}],${[w.site(node.start), ...named].join(',')})`
  w.release(temporaries)
  return { code, tag: '0' }
}

const keyName = (node: Node): string => String(node['key'].name ?? node['key'].value)

/** `$hd.L({a:x,b:1},7,"a",$hd_x)`. */
export function objectCode(w: Writing, node: Node): Written {
  const properties = node['properties'] as Node[]
  const { temporaries } = w.frame
  const named: string[] = []
  // What is evaluated for each.
  const parts = properties.map((p) => (p.type === 'SpreadElement' || p['computed'] ? p : (p['value'] as Node)))
  let spread = false
  let at = node.start
  const values = properties.map((property, i) => {
    const breaks = w.breaks(at, property.start)
    at = property.end
    if (property.type === 'SpreadElement') {
      spread = true
      return breaks + keptSpread(w, property, 'Qo', named)
    }
    const value = property['value'] as Node
    const isPlain = property['kind'] === 'init' && !property['method']
    if (!isPlain) return breaks + methodCode(w, property)
    const kept = (): Kept => keepTag(w, parts, i, w.expression(value))
    if (property['computed']) {
      const key = w.frame.place ? w.temporary() : undefined
      const target = computedKey(w, property['key'])
      const { code, tag } = kept()
      if (tag !== '0') named.push(...(key === undefined || tag === undefined ? ['"..."', '0'] : [key, tag]))
      const between = w.breaks(property['key'].end, value.start) + code + w.breaks(value.end, property.end)
      return `${breaks}${w.breaks(property.start, property['key'].start)}[${key === undefined ? '' : `${key}=`}${target}]:${between}`
    }
    w.hint = isFunction(value) || takesName(value) ? keyName(property) : ''
    const name = keyName(property)
    const { code, tag } = kept()
    if (tag === undefined) named.push('"..."', '0')
    if (tag !== undefined && (tag !== '0' || spread) && name !== '__proto__') named.push(quoted(name), tag)
    if (property['shorthand'] && code === w.text(value)) return breaks + code
    // `{ __proto__ }` is an ordinary property and `{ __proto__: x }` is not.
    const key = property['shorthand'] ? (name === '__proto__' ? '["__proto__"]' : w.text(value)) : w.text(property['key'])
    return `${breaks}${key}:${property['shorthand'] ? '' : w.breaks(property['key'].end, value.start)}${code}${w.breaks(value.end, property.end)}`
  })
  const code = `${w.call('L')}{${values.join(',')}${w.breaks(at, node.end)}},${[w.site(node.start), ...named].join(',')})`
  w.release(temporaries)
  return { code, tag: '0' }
}

/** A key that data decides is a branch. */
export function computedKey(w: Writing, key: Node): string {
  const site = w.site(key.start)
  const { code, tag } = w.expression(key)
  return tag === '0' ? code : `${w.call('b')}${site},"index",${code},${tag})`
}

/** A method or accessor of an object or a class, up to the end of its function: the text of its head stays. */
export function methodCode(w: Writing, node: Node, hint = node['computed'] ? '' : keyName(node)): string {
  return native(w, node, (part) => {
    if (part === node['key']) return computedKey(w, part)
    return isFunction(part) ? w.writers.functionCode(w, part, hint) : w.operand(part)
  })
}
