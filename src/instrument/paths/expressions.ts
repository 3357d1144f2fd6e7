/** Sends each expression to the file that writes its kind, and writes operators and decisions itself. */
import { isFunction, type Node } from '../syntax.ts'
import { argumentCode, callCode, newCode, tagCode } from './calls.ts'
import { chainCode, deleteChain } from './chains.ts'
import { exportMark, exportStar } from './exported.ts'
import { classCode } from './classes.ts'
import { decided } from './decided.ts'
import { arrayCode, objectCode, templateCode } from './literals.ts'
import { assignMember, deleteMember, readMember, updateMember } from './members.ts'
import { native } from './native.ts'
import { assignPattern } from './patterns.ts'
import { assignVariable, readVariable, updateVariable } from './variables.ts'
import type { Writing, Written } from './writing.ts'

export function expression(w: Writing, node: Node): Written {
  const hint = w.hint
  w.hint = ''
  if (isFunction(node)) return { code: w.writers.functionCode(w, node, hint), tag: '0' }
  switch (node.type) {
    case 'Identifier':
      return readVariable(w, node)
    case 'Literal':
    case 'ThisExpression':
    case 'MetaProperty':
    case 'Super':
      return { code: w.text(node), tag: '0' }
    case 'TemplateLiteral':
      return templateCode(w, node)
    case 'TaggedTemplateExpression':
      return w.opaque(native(w, node, (part) => (part === node['tag'] ? tagCode(w, part) : native(w, part))))
    case 'ArrayExpression':
      return arrayCode(w, node)
    case 'ObjectExpression':
      return objectCode(w, node)
    case 'ClassExpression':
      return { code: classCode(w, node, hint), tag: '0' }
    case 'UnaryExpression':
      return unary(w, node)
    case 'BinaryExpression':
      return binary(w, node)
    case 'LogicalExpression':
      return { code: `(${logical(w, node, (last) => w.registered(w.expression(last)))})`, tag: w.reg }
    case 'ConditionalExpression':
      return conditional(w, node)
    case 'SequenceExpression':
      return sequence(w, node)
    case 'AssignmentExpression':
      return assignment(w, node)
    case 'UpdateExpression':
      return node['argument'].type === 'MemberExpression' ? updateMember(w, node, true) : updateVariable(w, node).used
    case 'MemberExpression':
      return readMember(w, node)
    case 'ChainExpression':
      return chainCode(w, node)
    case 'CallExpression':
      return callCode(w, node)
    case 'NewExpression':
      return newCode(w, node)
    case 'AwaitExpression':
      return awaited(w, node)
    case 'YieldExpression':
      return w.opaque(yielded(w, node))
    case 'ImportExpression':
      return w.opaque(native(w, node, (part) => argumentCode(w, part)))
    default:
      return w.opaque(native(w, node))
  }
}

/** The same where nobody uses the value. */
export function effect(w: Writing, node: Node): string {
  switch (node.type) {
    case 'AssignmentExpression':
      if (node['left'].type === 'Identifier') return assignVariable(w, node).effect
      return node['left'].type === 'MemberExpression'
        ? exportMark(w, node) + assignMember(w, node).code
        : assignPattern(w, node, false).code
    case 'UpdateExpression':
      return node['argument'].type === 'MemberExpression' ? updateMember(w, node, false).code : updateVariable(w, node).effect
    case 'LogicalExpression':
      return logical(w, node, (last) => `(${effect(w, last)})`)
    case 'ConditionalExpression': {
      const [test, first, second] = branches(w, node, (part) => effect(w, part))
      return `${test}?(${first}):(${second})`
    }
    case 'SequenceExpression': {
      const list = node['expressions'] as Node[]
      return `${list.map((part, i) => w.breaks(i === 0 ? node.start : list[i - 1]!.end, part.start) + effect(w, part)).join(',')}${end(w, node, list[list.length - 1]!)}`
    }
    case 'YieldExpression':
      return yielded(w, node)
    case 'CallExpression':
      return exportStar(w, node) + callCode(w, node).code
    case 'FunctionExpression':
    case 'ClassExpression':
    case 'ArrowFunctionExpression':
      return `(${expression(w, node).code})`
    default:
      return expression(w, node).code
  }
}

const end = (w: Writing, node: Node, last: Node): string => w.breaks(last.end, node.end)

/** `a && b && c`: one decision on each but the last. (`a && b` decides on what `a` has decided already.) */
function logical(w: Writing, node: Node, write: (last: Node) => string): string {
  const left = node['left'] as Node
  const right = node['right'] as Node
  const operator = node['operator'] as string
  const first = w.breaks(node.start, left.start)
  const decide = (part: Node): string => decided(w, part, operator)
  const before = left.type === 'LogicalExpression' && left['operator'] === operator ? logical(w, left, decide) : decide(left)
  return `${first}${before}${w.breaks(left.end, right.start)}${operator}${write(right)}${end(w, node, right)}`
}

function branches(w: Writing, node: Node, write: (part: Node) => string): [string, string, string] {
  const { test, consequent, alternate } = node as Node & { test: Node; consequent: Node; alternate: Node }
  const first = w.breaks(node.start, test.start) + decided(w, test, '?:')
  const second = w.breaks(test.end, consequent.start) + write(consequent)
  return [first, second, w.breaks(consequent.end, alternate.start) + write(alternate) + end(w, node, alternate)]
}

function conditional(w: Writing, node: Node): Written {
  const values: Written[] = []
  const [test] = branches(w, node, (part) => {
    values.push(w.expression(part))
    return ''
  })
  const [first, second] = values as [Written, Written]
  const { test: t, consequent, alternate } = node as Node & { test: Node; consequent: Node; alternate: Node }
  const constant = first.tag === '0' && second.tag === '0'
  const write = (value: Written): string => (constant ? value.code : w.registered(value))
  const left = w.breaks(t.end, consequent.start) + write(first)
  const right = w.breaks(consequent.end, alternate.start) + write(second) + end(w, node, alternate)
  return { code: `(${test}?${left}:${right})`, tag: constant ? '0' : w.reg }
}

function sequence(w: Writing, node: Node): Written {
  const list = node['expressions'] as Node[]
  let code = ''
  let tag = '0'
  let at = node.start
  for (const [i, part] of list.entries()) {
    code += w.breaks(at, part.start)
    at = part.end
    if (i < list.length - 1) code += `${effect(w, part)},`
    else {
      const last = w.expression(part)
      code += last.code
      tag = last.tag
    }
  }
  return { code: `(${code}${w.breaks(at, node.end)})`, tag }
}

function assignment(w: Writing, node: Node): Written {
  const left = node['left'] as Node
  if (left.type === 'Identifier') return assignVariable(w, node).used
  if (left.type !== 'MemberExpression') return assignPattern(w, node, true)
  const mark = exportMark(w, node)
  const { code, tag } = assignMember(w, node)
  return { code: mark === '' ? code : `(${mark}${code})`, tag }
}

const OPERATORS = new Set(['!', '-', '+', '~', 'typeof'])

function unary(w: Writing, node: Node): Written {
  const argument = node['argument'] as Node
  const operator = node['operator'] as string
  if (operator === 'delete') return argument.type === 'ChainExpression' ? deleteChain(w, node) : deleteMember(w, node)
  const before = w.breaks(node.start, argument.start)
  const after = end(w, node, argument)
  if (operator === 'void') return { code: `(void ${before}(${effect(w, argument)})${after})`, tag: '0' }
  const isName = argument.type === 'Identifier' && w.scopes.variable(argument) === undefined
  if (argument.type === 'Literal' || (operator === 'typeof' && isName)) return { code: `(${w.text(node)})`, tag: '0' }
  const { code, tag } = w.expression(argument)
  if (!OPERATORS.has(operator)) return w.opaque(`${operator} ${before}${code}${after}`)
  return { code: `${w.call('N')}"${operator}",${before}${code},${tag}${after})`, tag: w.reg }
}

function binary(w: Writing, node: Node): Written {
  const left = node['left'] as Node
  const right = node['right'] as Node
  const operator = node['operator'] as string
  if (left.type === 'PrivateIdentifier') return w.opaque(native(w, node, (part) => (part === left ? w.text(part) : w.operand(part))))
  const site = operator === 'in' ? w.site(left.start) : 0
  const a = w.frame.place && isDeep(left) ? stepwise(w, left) : w.expression(left)
  const b = w.expression(right)
  const operands = `${w.breaks(node.start, left.start)}${a.code},${a.tag},${w.breaks(left.end, right.start)}${b.code},${b.tag}${end(w, node, right)}`
  return { code: operator === 'in' ? `${w.call('K')}${operands},${site})` : `${w.call('B')}"${operator}",${operands})`, tag: w.reg }
}

/** Sums of so many parts: the engine has to read what is nested that deep, each time on a small stack. */
const DEEPEST = 60

function isDeep(node: Node): boolean {
  let depth = 0
  for (let at = node; at.type === 'BinaryExpression' && depth < DEEPEST; at = at['left'] as Node) depth++
  return depth === DEEPEST
}

/** A value that is computed before: `($t1=VALUE,$t2=TAG,` nested only in the comma. */
function stepwise(w: Writing, node: Node): Written {
  const chain: Node[] = []
  let at = node
  for (; at.type === 'BinaryExpression' && at['left'].type !== 'PrivateIdentifier' && at['operator'] !== 'in'; at = at['left'] as Node)
    chain.push(at)
  const { temporaries } = w.frame
  const value = w.temporary()
  const tag = w.temporary()
  const first = w.expression(at)
  let code = `${w.breaks(node.start, at.start)}${value}=${first.code},${tag}=${first.tag}`
  for (const part of chain.toReversed()) {
    const right = part['right'] as Node
    const other = w.expression(right)
    const breaks = w.breaks(part['left'].end, right.start)
    code += `,${value}=${w.call('B')}"${part['operator']}",${value},${tag},${breaks}${other.code},${other.tag}${end(w, part, right)}),${tag}=${w.reg}`
  }
  w.release(temporaries)
  return { code: `(${code},${value})`, tag: w.reg }
}

/** `($t1=X,$t2=TAG,$hd.Z($t1,$t2,await $t1))`. */
function awaited(w: Writing, node: Node): Written {
  const argument = node['argument'] as Node
  const { code, tag } = w.expression(argument)
  const before = w.breaks(node.start, argument.start)
  const after = end(w, node, argument)
  if (!w.frame.place) return w.opaque(`await ${before}(${code})${after}`)
  const { temporaries } = w.frame
  const value = w.temporary()
  const tags = w.temporary()
  w.release(temporaries)
  return { code: `(${value}=${before}${code},${tags}=${tag}${after},${w.call('Z')}${value},${tags},await ${value}))`, tag: w.reg }
}

function yielded(w: Writing, node: Node): string {
  const argument = node['argument'] as Node | null
  if (argument === null) return 'yield'
  const { code, tag } = w.expression(argument)
  const around = `${w.breaks(node.start, argument.start)}${code}`
  if (!node['delegate']) return `yield (${around}${end(w, node, argument)})`
  return `yield* ${w.call('Q')}${around},${tag},${w.site(argument.start)}${end(w, node, argument)})`
}
