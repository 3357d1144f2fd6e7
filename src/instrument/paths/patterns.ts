/**
 * Destructuring. The pattern itself stays; what it bound gets its tag right after (`X`), and targets that are properties become setters, which store in
 * the order of the language: `[a.b] = v` as `[($t1=a,{set v(v){…}}).v] = v`.
 */
import type { Node } from '../syntax.ts'
import { hold, isPrivate, isSuper, keyOf } from './members.ts'
import { native } from './native.ts'
import { computedKey } from './literals.ts'
import { hasTag, tagName, tagOf } from './variables.ts'
import type { Writing, Written } from './writing.ts'

/** The code of a pattern. Temporaries are freed by the caller. */
export function patternCode(w: Writing, node: Node): string {
  switch (node.type) {
    case 'Identifier':
      return w.text(node)
    case 'MemberExpression':
      return targetCode(w, node)
    case 'AssignmentPattern':
      return native(w, node, (part) => {
        if (part === node['left']) return patternCode(w, part)
        w.hint = node['left'].name ?? ''
        return w.expression(part).code
      })
    case 'Property':
      if (node['shorthand']) return patternCode(w, node['value'])
      return native(w, node, (part) => (part === node['key'] ? computedKey(w, part) : patternCode(w, part)))
    default:
      return native(w, node, (part) => patternCode(w, part))
  }
}

/** A property as target. */
export function targetCode(w: Writing, node: Node): string {
  if (isSuper(node) || !w.frame.place) return native(w, node)
  const base = hold(w, undefined, w.expression(node['object']))
  const breaks =
    w.breaks(node.start, node.end) === ''
      ? ''
      : w.breaks(node.start, node['object'].start) + w.breaks(node['object'].end, node['property'].start)
  const site = w.site(node['property'].start)
  const value = `${w.hooks}v`
  const opaque = `${w.call('O')}${value}),${w.reg}`
  if (isPrivate(node)) {
    const name = `#${node['property'].name}`
    const setter = `{set v(${value}){${base.again}.${name}=${w.call('Pp')}${base.again},${base.tag},"${name}",${site},${opaque})}}`
    return `(${breaks}${base.first},${base.firstTag},${setter}).v`
  }
  const key = hold(w, undefined, keyOf(w, node))
  const setter = `{set v(${value}){${w.call('P')}${base.again},${base.tag},${key.again},${key.tag},${opaque},${site},${w.strictness})}}`
  return `(${breaks}${base.first},${base.firstTag},${key.first},${key.firstTag}${w.breaks(node['property'].end, node.end)},${setter}).v`
}

/** A name that a pattern binds; `key`: under what, where that is known. */
export interface Bound {
  readonly id: Node
  readonly key: string | undefined
}

/** All names of a pattern. Keys only for what it takes directly from the value. */
export function namesOf(pattern: Node, key?: string, deep = false): Bound[] {
  switch (pattern.type) {
    case 'Identifier':
      return [{ id: pattern, key }]
    case 'AssignmentPattern':
      return namesOf(pattern['left'], key, deep)
    case 'RestElement':
      return namesOf(pattern['argument'], undefined, true)
    case 'ArrayPattern': {
      const elements = pattern['elements'] as (Node | null)[]
      return elements.flatMap((element, i) => (element === null ? [] : inner(element, deep ? undefined : String(i))))
    }
    case 'ObjectPattern':
      return (pattern['properties'] as Node[]).flatMap((property) => {
        if (property.type === 'RestElement') return namesOf(property)
        const name = property['computed'] || deep ? undefined : String(property['key'].name ?? property['key'].value)
        return inner(property['value'], name)
      })
    default:
      return []
  }
}

/** A pattern in a pattern has no keys of its own. */
function inner(node: Node, key: string | undefined): Bound[] {
  const target = node.type === 'AssignmentPattern' ? (node['left'] as Node) : node
  return target.type === 'Identifier' ? [{ id: target, key }] : namesOf(node, undefined, true)
}

const hasRest = (pattern: Node): boolean =>
  pattern.type === 'ObjectPattern' && (pattern['properties'] as Node[]).some((property) => property.type === 'RestElement')

/** A value that is taken apart: what is recorded before, and the code that holds it. */
export interface TakenApart {
  readonly code: string
  /** The tag of a name. */
  tag(bound: Bound): string
  readonly again: Written
}

/** Needs a place for temporaries; the caller frees them. */
export function takenApart(w: Writing, pattern: Node, value: Written, breaks: string): TakenApart {
  const held = hold(w, undefined, value)
  const { again, tag } = held
  let code = `${w.call('p')}${breaks}${held.first}${held.firstTag === '0' ? '' : `,${held.firstTag}`})`
  let iterated = ''
  if (pattern.type === 'ArrayPattern') {
    iterated = w.temporary()
    code = `${w.call('p')}${w.call('Q')}${code},${tag},${w.site(pattern.start)}),${iterated}=${w.reg})`
  } else if (hasRest(pattern)) code = `${w.call('Qo')}${code},${tag},${w.site(pattern.start)})`
  return {
    code,
    again: { code: again, tag },
    tag: ({ id, key }) => {
      if (key === undefined) return w.opaqueTag(w.text(id))
      const rest = `${w.text(id)},${w.site(id.start)})`
      return iterated === ''
        ? `${w.call('X')}${again},${tag},${JSON.stringify(key)},${rest}`
        : `${w.call('Xi')}${again},${iterated},${key},${rest}`
    },
  }
}

/** `$hd_x=TAG` or `$hd.vw(…,x,TAG)` for what was bound a moment ago; '' for variables without a tag. `declared`: in a list of declarations. */
export function tagging(w: Writing, id: Node, tag: () => string, declared: boolean): string {
  const variable = w.scopes.variable(id)
  if (variable === undefined) return ''
  const name = tagName(w, variable)
  if (variable.index >= 0) {
    const write = `${w.variableCall('vw', variable, id.start)}${w.text(id)},${tag()})`
    return declared ? `${name}=${write}` : write
  }
  if (declared ? !hasTag(variable) : tagOf(w, id) === undefined) return ''
  return `${name}=${tag()}`
}

/** `[a, b.c] = v`, `({ a } = v)`. */
export function assignPattern(w: Writing, node: Node, used: boolean): Written {
  const left = node['left'] as Node
  const right = node['right'] as Node
  const { temporaries } = w.frame
  if (!w.frame.place) return w.opaque(`(${native(w, node, (part) => (part === left ? patternCode(w, part) : w.expression(part).code))})`)
  const value = w.expression(right)
  const breaks = w.breaks(left.end, right.start)
  const taken = takenApart(w, left, { code: value.code + w.breaks(right.end, node.end), tag: value.tag }, breaks)
  const target = w.breaks(node.start, left.start) + patternCode(w, left)
  const tags = namesOf(left)
    .map((bound) => tagging(w, bound.id, () => taken.tag(bound), false))
    .filter((text) => text !== '')
  const list = [`${target}=${taken.code}`, ...tags]
  if (used) list.push(w.registered(taken.again))
  w.release(temporaries)
  return { code: `(${list.join(',')})`, tag: w.reg }
}
