/**
 * What an importer of a CommonJS module looks for in its text to learn what it exports (cjs-module-lexer). Our code writes these things in another way, so
 * the text is put beside it where it never runs: `0&&(exports.a=0),`.
 */
import { isFunction, type Node } from '../syntax.ts'
import type { Writing } from './writing.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

const isExports = (w: Writing, node: Node): boolean => w.isGlobal(node, 'exports')
const isModuleExports = (w: Writing, node: Node): boolean =>
  node.type === 'MemberExpression' && !node['computed'] && w.isGlobal(node['object'], 'module') && node['property'].name === 'exports'

/** `require("x")`. */
export const isRequire = (w: Writing, node: Node): boolean =>
  node.type === 'CallExpression' &&
  w.isGlobal(node['callee'], 'require') &&
  node['arguments'].length === 1 &&
  node['arguments'][0].type === 'Literal'

/** What to put before an assignment, or ''. */
export function exportMark(w: Writing, node: Node): string {
  const left = node['left'] as Node
  if (w.options.kind !== 'commonjs' || node['operator'] !== '=' || left.type !== 'MemberExpression') return ''
  if (isModuleExports(w, left)) {
    const value = exportedValue(w, node['right'])
    return value === '' ? '' : `0&&(module.exports=${value}),`
  }
  const base = left['object'] as Node
  const name = isExports(w, base) ? 'exports' : isModuleExports(w, base) ? 'module.exports' : ''
  if (name === '') return ''
  const property = left['property'] as Node
  if (!left['computed']) return `0&&(${name}.${property['name']}=0),`
  return property.type === 'Literal' && typeof property['value'] === 'string' ? `0&&(${name}[${JSON.stringify(property['value'])}]=0),` : ''
}

function exportedValue(w: Writing, value: Node): string {
  if (isRequire(w, value)) return requireText(value)
  if (value.type !== 'ObjectExpression') return ''
  const names: string[] = []
  for (const property of value['properties'] as Node[]) {
    if (property.type === 'SpreadElement') {
      if (!isRequire(w, property['argument'])) break
      names.push(`...${requireText(property['argument'])}`)
      continue
    }
    const key = property['key'] as Node
    // It takes the first word for the name: of `get x() {}` the wrong one.
    const name = property.start < key.start ? /^\w*/.exec(w.text(property))![0] : String(key['name'] ?? key['value'])
    if (name === '' || (property['computed'] && property.start === key.start)) break
    names.push(`${IDENTIFIER.test(name) ? name : JSON.stringify(name)}:exports`)
    // The reader stops at a value that is no name, after its key.
    if (property['value'].type !== 'Identifier' || property.start < key.start) break
  }
  return names.length === 0 ? '' : `{${names.join(',')}}`
}

const requireText = (node: Node): string => `require(${JSON.stringify(node['arguments'][0].value)})`

/** Before a statement `__exportStar(require("x"), exports)`, as TypeScript writes it. It must not stand in parentheses. */
export function exportStar(w: Writing, node: Node): string {
  const callee = node['callee'] as Node
  const name =
    callee.type === 'Identifier' ? callee['name'] : callee.type === 'MemberExpression' && !callee['computed'] ? callee['property'].name : ''
  const first = node['arguments'][0] as Node | undefined
  if ((name !== '__exportStar' && name !== '__export') || first === undefined || !isRequire(w, first)) return ''
  return `0&&${callee.type === 'Identifier' ? '' : 'tslib.'}${name}(${requireText(first)}),`
}

/** `Object.defineProperty(exports, "a", { … })`, and what Babel writes for `export * from`: statements that keep their text as a whole. */
export function keepsText(w: Writing, expression: Node): boolean {
  if (w.options.kind !== 'commonjs' || expression.type !== 'CallExpression') return false
  const callee = expression['callee'] as Node
  if (callee.type !== 'MemberExpression' || callee['computed']) return false
  const [first] = expression['arguments'] as readonly Node[]
  if (first === undefined) return false
  const name = callee['property'].name as string
  if (name === 'defineProperty' && w.isGlobal(callee['object'], 'Object')) return isExports(w, first) || isModuleExports(w, first)
  const base = callee['object'] as Node
  return (
    name === 'forEach' &&
    isFunction(first) &&
    base.type === 'CallExpression' &&
    base['callee'].type === 'MemberExpression' &&
    w.isGlobal(base['callee'].object, 'Object') &&
    base['callee'].property.name === 'keys' &&
    /\bexports\b/.test(w.text(first))
  )
}
