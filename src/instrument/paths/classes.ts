/** Classes: their code is strict; initialisers of fields have no place for temporaries. */
import { takesName, type Node, nextToken } from '../syntax.ts'
import { computedKey, methodCode } from './literals.ts'
import { native } from './native.ts'
import { bodyCode } from './functions.ts'
import type { Writing } from './writing.ts'

export function classCode(w: Writing, node: Node, hint: string): string {
  const outerName = w.className
  const outerStrict = w.strict
  w.className = node['id']?.name ?? hint
  w.strict = true
  const code = native(w, node, (part) => (part === node['body'] ? native(w, part, (member) => memberCode(w, member)) : heritage(w, part)))
  w.className = outerName
  w.strict = outerStrict
  return code
}

const heritage = (w: Writing, node: Node): string => (node.type === 'Identifier' ? `(${w.expression(node).code})` : `(${w.operand(node)})`)

const memberName = (node: Node): string =>
  node['key'].type === 'PrivateIdentifier' ? `#${node['key'].name}` : node['computed'] ? '' : String(node['key'].name ?? node['key'].value)

function memberCode(w: Writing, node: Node): string {
  if (node.type === 'StaticBlock') return staticBlock(w, node)
  if (node.type === 'PropertyDefinition') return fieldCode(w, node)
  const name = memberName(node)
  return methodCode(w, node, name === 'constructor' ? `new ${w.className}` : `${w.className}.${name}`)
}

/** The initialiser of a field runs as a method of its own. */
function fieldCode(w: Writing, node: Node): string {
  const value = node['value'] as Node | null
  const name = memberName(node)
  const outer = w.frame
  return native(w, node, (part) => {
    if (part !== value) return computedKey(w, part)
    w.frame = { name: `new ${w.className}`, temporaries: 0, most: 0, place: false }
    w.hint = takesName(value) ? `${w.className}.${name}` : ''
    const { code, tag } = w.expression(value)
    const written =
      tag === '0' || name === '' ? code : `${w.call('Pp')}this,0,${JSON.stringify(name)},${w.site(node.start)},${code},${tag})`
    w.frame = outer
    return written
  })
}

/** `static { }` is a function of its own. */
function staticBlock(w: Writing, node: Node): string {
  const outer = w.frame
  const scope = w.scopes.of(node)!
  if (scope.hasEval) return w.text(node)
  w.frame = { name: `${w.className}.<static>`, temporaries: 0, most: 0, place: true }
  const start = nextToken(w.source, node.start + 'static'.length) + 1
  const code =
    w.source.slice(node.start, start) + bodyCode(w, node['body'], scope, start, node.end - 1, { guard: '', begin: '', end: '' }) + '}'
  w.frame = outer
  return code
}
