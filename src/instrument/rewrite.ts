/** Sends each node to the file that writes its kind. Nodes that need nothing are copied with what is in them. */
import { emitCall, emitNew } from './calls.ts'
import { emitChain } from './chains.ts'
import { emitBlock, emitFunction, emitReturn, emitStatements, emitStaticBlock } from './functions.ts'
import { emitIn, emitMemberAssignment, emitMemberUpdate, emitRead } from './members.ts'
import { emitForEach, emitPattern, emitSpread, emitTakenApart, writesOf } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'
import { forParts, isFunction, takesName, type Node } from './syntax.ts'
import { emitIdentifier, emitInitialiser, emitVariableAssignment, emitVariableUpdate } from './variables.ts'

/** Where the value of a node decides what runs next, and which part it is. */
const CONDITIONS: Readonly<Record<string, string>> = {
  IfStatement: 'test',
  ConditionalExpression: 'test',
  WhileStatement: 'test',
  DoWhileStatement: 'test',
  ForStatement: 'test',
  LogicalExpression: 'left',
  SwitchStatement: 'discriminant',
}

/** What lies in such a folder is a package. */
const PACKAGES = 'node_modules'

export function emit(r: Rewriting, node: Node): void {
  const hint = r.hint
  r.hint = ''
  if (isFunction(node)) emitFunction(r, node, hint)
  else if (r.frame.off) forParts(node, r.emit)
  else emitNode(r, node, hint)
}

function emitNode(r: Rewriting, node: Node, hint: string): void {
  switch (node.type) {
    case 'Identifier':
      return emitIdentifier(r, node)
    case 'MemberExpression':
      return emitRead(r, node)
    case 'CallExpression':
      return emitCall(r, node)
    case 'NewExpression':
      return emitNew(r, node)
    case 'ChainExpression':
      return emitChain(r, node)
    case 'AssignmentExpression':
      return emitAssignment(r, node)
    case 'UpdateExpression':
      return node['argument'].type === 'MemberExpression' ? emitMemberUpdate(r, node) : emitVariableUpdate(r, node)
    case 'UnaryExpression':
      return node['operator'] === 'delete' ? emitDelete(r, node) : r.emit(node['argument'])
    case 'BinaryExpression':
      if (node['operator'] === 'in') return emitIn(r, node)
      break
    case 'ExpressionStatement':
      return emitExpressionStatement(r, node)
    case 'BlockStatement':
      return emitBlock(r, node)
    case 'ReturnStatement':
      return emitReturn(r, node)
    case 'SwitchCase':
      if (node['test']) r.emit(node['test'])
      return emitStatements(r, node['consequent'])
    case 'CatchClause':
      if (node['param']) emitPattern(r, node['param'])
      return r.emit(node['body'])
    case 'ForInStatement':
    case 'ForOfStatement':
      return emitForEach(r, node)
    case 'VariableDeclarator':
      return emitDeclarator(r, node)
    case 'ArrayExpression':
      for (const element of node['elements'] as (Node | null)[]) {
        if (element?.type === 'SpreadElement') emitSpread(r, element, false)
        else if (element !== null) r.emit(element)
      }
      return
    case 'ObjectExpression':
      for (const property of node['properties'] as Node[]) emitProperty(r, property)
      return
    case 'SpreadElement':
      return emitSpread(r, node, false)
    case 'TaggedTemplateExpression':
      if (node['tag'].type === 'ChainExpression') r.callees.add(node['tag'])
      break
    case 'AwaitExpression':
      if (r.accesses && !r.options.file.includes(PACKAGES))
        return r.wrap(node['argument'], `${r.call('z')}${r.call('q')}${r.site(node.start)}),`, ')')
      break
    case 'YieldExpression':
      if (node['delegate'] && r.accesses) return r.wrap(node['argument'], r.call('i'), `,${r.site(node.start)})`)
      break
    case 'WithStatement':
      // Names in its body may be properties, ours too: it is copied.
      return r.emit(node['object'])
    case 'ClassDeclaration':
    case 'ClassExpression':
      return emitClass(r, node, hint)
    case 'MethodDefinition':
      return emitMethod(r, node)
    case 'PropertyDefinition':
      return emitField(r, node)
    case 'StaticBlock':
      return emitStaticBlock(r, node)
    case 'ExportDefaultDeclaration':
      r.hint = 'default'
      return r.emit(node['declaration'])
    default:
  }
  emitParts(r, node)
}

/** All parts as they are; with `detail`, the one that decides with its hook. */
function emitParts(r: Rewriting, node: Node): void {
  const condition = r.options.detail ? (node[CONDITIONS[node.type] ?? ''] as Node | null | undefined) : undefined
  forParts(node, (part) => {
    if (part === condition) r.wrap(part, `${r.call('b')}${r.site(part.start)},`, ')')
    else r.emit(part)
  })
}

function emitAssignment(r: Rewriting, node: Node): void {
  const left = node['left'] as Node
  if (left.type === 'MemberExpression') emitMemberAssignment(r, node)
  else if (left.type === 'Identifier') emitVariableAssignment(r, node)
  else {
    emitPattern(r, left)
    emitTakenApart(r, left, node['right'])
  }
}

function emitExpressionStatement(r: Rewriting, node: Node): void {
  const expression = node['expression'] as Node
  r.emit(expression)
  if (expression.type !== 'AssignmentExpression' || !expression['left'].type.endsWith('Pattern')) return
  r.out.copy(expression.end)
  r.out.put(writesOf(r, expression['left']))
}

function emitDelete(r: Rewriting, node: Node): void {
  let argument = node['argument'] as Node
  if (argument.type === 'ChainExpression') argument = argument['expression']
  if (argument.type === 'MemberExpression') emitRead(r, argument, 'd')
  // A name is not read by `delete name`.
  else if (argument.type !== 'Identifier') r.emit(node['argument'])
}

function emitDeclarator(r: Rewriting, node: Node): void {
  const id = node['id'] as Node
  const init = node['init'] as Node | null
  emitPattern(r, id)
  if (init === null) return
  if (id.type === 'Identifier') emitInitialiser(r, id, init)
  else emitTakenApart(r, id, init)
}

const keyName = (node: Node): string => (node['computed'] ? '' : String(node['key'].name ?? node['key'].value))

function emitProperty(r: Rewriting, node: Node): void {
  if (node.type === 'SpreadElement') return emitSpread(r, node, true)
  const value = node['value'] as Node
  if (node['shorthand']) {
    // `{ __proto__ }` is an ordinary property and `{ __proto__: x }` is not.
    if (!r.accesses || r.scopes.tracked(value) === undefined || value['name'] === '__proto__') return
    r.out.copy(node.start)
    r.out.put(`${value['name']}:`)
    return r.emit(value)
  }
  if (node['computed']) r.emit(node['key'])
  r.hint = isFunction(value) ? keyName(node) : ''
  r.emit(value)
}

function emitClass(r: Rewriting, node: Node, hint: string): void {
  if (node['superClass']) r.emit(node['superClass'])
  const outer = r.className
  r.className = node['id']?.name ?? hint
  for (const part of node['body'].body as Node[]) r.emit(part)
  r.className = outer
}

const memberName = (node: Node): string => (node['key'].type === 'PrivateIdentifier' ? `#${node['key'].name}` : keyName(node))

function emitMethod(r: Rewriting, node: Node): void {
  if (node['computed']) r.emit(node['key'])
  const name = memberName(node)
  r.hint = name === 'constructor' ? `new ${r.className}` : `${r.className}.${name}`
  r.emit(node['value'])
}

/** The initialiser of a field runs as a method of its own, which has no place for variables. */
function emitField(r: Rewriting, node: Node): void {
  if (node['computed']) r.emit(node['key'])
  const value = node['value'] as Node | null
  if (value === null) return
  const outer = r.frame
  r.frame = { name: `new ${r.className}`, off: false, temporaries: 0, most: 0, place: false }
  r.hint = takesName(value) ? `${r.className}.${memberName(node)}` : ''
  r.emit(value)
  r.frame = outer
}
