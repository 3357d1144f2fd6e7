/** Destructuring, loops over collections and spreads: the value taken apart is recorded before, the targets after. */
import { emitPatternTarget } from './members.ts'
import type { Rewriting } from './rewriting.ts'
import type { Node } from './syntax.ts'

/** Default values and computed keys inside a pattern, and the bases of its targets. What is bound or assigned stays as it is. */
export function emitPattern(r: Rewriting, node: Node): void {
  switch (node.type) {
    case 'Identifier':
      return
    case 'MemberExpression':
      emitPatternTarget(r, node)
      return
    case 'AssignmentPattern':
      emitPattern(r, node['left'])
      r.hint = node['left'].name ?? ''
      r.emit(node['right'])
      return
    case 'RestElement':
      emitPattern(r, node['argument'])
      return
    case 'ArrayPattern':
      for (const element of node['elements'] as (Node | null)[]) if (element !== null) emitPattern(r, element)
      return
    case 'ObjectPattern':
      for (const property of node['properties'] as Node[]) {
        if (property.type === 'RestElement') emitPattern(r, property['argument'])
        else {
          if (property['computed']) r.emit(property['key'])
          emitPattern(r, property['value'])
        }
      }
      return
    default:
      r.emit(node)
  }
}

/** The value a pattern takes apart: `const {a,b}=$hd.r($hd.r(value,"a",7),"b",8)`, `[x]=$hd.i(value,7)`. */
export function emitTakenApart(r: Rewriting, pattern: Node, value: Node): void {
  if (!r.accesses || value.type === 'ArrayExpression' || value.type === 'ObjectExpression') r.emit(value)
  else if (pattern.type === 'ArrayPattern') r.wrap(value, r.call('i'), `,${r.site(pattern.start)})`)
  else {
    let before = ''
    let after = ''
    for (const property of pattern['properties'] as Node[]) {
      const key = property['key'] as Node | undefined
      if (property.type === 'RestElement') {
        before += r.call('o')
        after = `,${r.site(property.start)})${after}`
      } else if (!property['computed']) {
        before += r.call('r')
        after = `,${JSON.stringify(String(key!['name'] ?? key!['value']))},${r.site(key!.start)})${after}`
      }
    }
    r.wrap(value, before, after)
  }
}

/** Records what a pattern assigned, for a place where statements can follow: `,$hd.vw(…,x),$hd.y(this,"b",7)`, each with a comma before. */
export function writesOf(r: Rewriting, pattern: Node | null): string {
  if (pattern === null || !r.accesses) return ''
  switch (pattern.type) {
    case 'Identifier': {
      const variable = r.scopes.tracked(pattern)
      return variable === undefined ? '' : `,${r.variableCall('vw', variable, pattern.start)}${pattern['name']})`
    }
    case 'MemberExpression': {
      const property = pattern['property'] as Node
      if (!r.isSimple(pattern['object']) || pattern['computed']) return ''
      const key = property.type === 'PrivateIdentifier' ? `#${property['name']}` : property['name']
      return `,${r.call('y')}${r.text(pattern['object'])},${JSON.stringify(key)},${r.site(property.start)})`
    }
    case 'AssignmentPattern':
      return writesOf(r, pattern['left'])
    case 'RestElement':
      return writesOf(r, pattern['argument'])
    case 'ArrayPattern':
      return (pattern['elements'] as (Node | null)[]).map((element) => writesOf(r, element)).join('')
    case 'ObjectPattern':
      return (pattern['properties'] as Node[]).map((p) => writesOf(r, p.type === 'RestElement' ? p : p['value'])).join('')
    default:
      return ''
  }
}

/** for-in and for-of: the collection, and at the begin of the body what the head assigned. */
export function emitForEach(r: Rewriting, node: Node): void {
  const left = node['left'] as Node
  const right = node['right'] as Node
  const declared = left.type === 'VariableDeclaration'
  const pattern = (declared ? left['declarations'][0].id : left) as Node
  emitPattern(r, pattern)
  // Sloppy code may initialise here: `for (var i = 0 in o)`.
  if (declared && left['declarations'][0].init) r.emit(left['declarations'][0].init)
  if (r.accesses) r.wrap(right, r.call(node.type === 'ForInStatement' ? 'o' : 'i'), `,${r.site(right.start)})`)
  else r.emit(right)
  r.out.copy(node['body'].start)
  const writes = !declared || left['kind'] === 'var' ? writesOf(r, pattern) : ''
  if (writes !== '' && node['body'].type === 'BlockStatement') {
    r.out.copy(node['body'].start + 1)
    r.out.put(`${writes.slice(1)};`)
  }
  r.emit(node['body'])
}

/** `...x` in calls and array literals, and in object literals. */
export function emitSpread(r: Rewriting, node: Node, inObject: boolean): void {
  const argument = node['argument'] as Node
  if (!r.accesses || argument.type === 'ArrayExpression' || r.isGlobal(argument, 'arguments')) r.emit(argument)
  else r.wrap(argument, r.call(inObject ? 'o' : 'i'), `,${r.site(argument.start)})`)
}
