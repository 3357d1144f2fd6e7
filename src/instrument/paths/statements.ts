/** Statements. Each that may end without a semicolon gets one, so that no code of ours is taken for the continuation of the line before. */
import type { Node } from '../syntax.ts'
import { returned, scopeObject, statementList } from './blocks.ts'
import { classCode } from './classes.ts'
import { declarationStatement } from './declarations.ts'
import { keepsText } from './exported.ts'
import { decided } from './decided.ts'
import { doWhileCode, forCode, forEachCode, whileCode } from './loops.ts'
import { native } from './native.ts'
import { namesOf, patternCode, tagging } from './patterns.ts'
import type { Writing } from './writing.ts'

export function statement(w: Writing, node: Node): string {
  switch (node.type) {
    case 'ExpressionStatement':
      return expressionStatement(w, node)
    case 'VariableDeclaration':
      return declarationStatement(w, node) + w.breaks(lastEnd(node), node.end)
    case 'BlockStatement':
      return blockCode(w, node)
    case 'ReturnStatement':
      return returnCode(w, node)
    case 'ThrowStatement': {
      const argument = node['argument'] as Node
      return `throw (${w.breaks(node.start, argument.start)}${w.expression(argument).code}${w.breaks(argument.end, node.end)});`
    }
    case 'IfStatement':
      return ifCode(w, node)
    case 'SwitchStatement':
      return switchCode(w, node)
    case 'TryStatement':
      return native(w, node, (part) => (part.type === 'CatchClause' ? catchCode(w, part) : blockCode(w, part)))
    case 'WhileStatement':
      return whileCode(w, node)
    case 'DoWhileStatement':
      return doWhileCode(w, node)
    case 'ForStatement':
      return forCode(w, node)
    case 'ForInStatement':
    case 'ForOfStatement':
      return forEachCode(w, node)
    case 'LabeledStatement':
      return native(w, node, (part) => statement(w, part))
    case 'FunctionDeclaration':
      return w.writers.functionCode(w, node, '')
    case 'ClassDeclaration':
      return classCode(w, node, '')
    case 'WithStatement':
      // Names in its body may be properties, ours too: it is copied.
      return native(w, node, (part) => (part === node['body'] ? w.text(part) : w.expression(part).code))
    case 'ExportNamedDeclaration':
      return exportCode(w, node)
    case 'ExportDefaultDeclaration':
      return defaultCode(w, node)
    default:
      return ended(w.text(node), node.type !== 'EmptyStatement')
  }
}

const ended = (text: string, ends: boolean): string => (ends && !text.endsWith(';') ? `${text};` : text)

const lastEnd = (node: Node): number => {
  const list = node['declarations'] as Node[]
  return list[list.length - 1]!.end
}

function expressionStatement(w: Writing, node: Node): string {
  const expression = node['expression'] as Node
  if (node['directive'] !== undefined || keepsText(w, expression)) return ended(w.text(node), true)
  return `${w.breaks(node.start, expression.start)}${w.effect(expression)}${w.breaks(expression.end, node.end)};`
}

function blockCode(w: Writing, node: Node, begin = ''): string {
  const object = scopeObject(w, w.scopes.of(node))
  return `{${object === '' ? '' : `let ${object};`}${begin}${statementList(w, node['body'], node.start + 1, node.end - 1)}}`
}

function returnCode(w: Writing, node: Node): string {
  const argument = node['argument'] as Node | null
  if (argument === null) return ended(w.text(node), true)
  const breaks = w.breaks(node.start, argument.start)
  return `return ${returned(w, argument, breaks)}${w.breaks(argument.end, node.end)};`
}

function ifCode(w: Writing, node: Node): string {
  const { test, consequent, alternate } = node as Node & { test: Node; consequent: Node; alternate: Node | null }
  let code = `if(${w.breaks(node.start, test.start)}${decided(w, test, 'if')}${w.breaks(test.end, consequent.start)})${statement(w, consequent)}`
  if (alternate !== null) code += `${w.breaks(consequent.end, alternate.start)}else ${statement(w, alternate)}`
  return code
}

/** `switch($t1=V,$t2=TAG,true){case $hd.S(7,$t1,$t2,C,TAG):`. */
function switchCode(w: Writing, node: Node): string {
  const discriminant = node['discriminant'] as Node
  const { temporaries } = w.frame
  const { code, tag } = w.expression(discriminant)
  const value = w.temporary()
  const tags = w.temporary()
  let text = `switch(${w.breaks(node.start, discriminant.start)}${value}=${code},${tags}=${tag},true`
  let at = discriminant.end
  let open = ')'
  for (const part of node['cases'] as Node[]) {
    const test = part['test'] as Node | null
    const statements = part['consequent'] as Node[]
    const first = statements[0]?.start ?? part.end
    text += `${w.breaks(at, part.start)}${open}${open === '' ? '' : '{'}`
    open = ''
    if (test === null) text += `default:${w.breaks(part.start, first)}`
    else {
      const site = w.site(test.start)
      const other = w.expression(test)
      text += `case ${w.breaks(part.start, test.start)}${w.call('S')}${site},${value},${tags},${other.code},${other.tag}):${w.breaks(test.end, first)}`
    }
    text += statementList(w, statements, first, part.end)
    at = part.end
  }
  w.release(temporaries)
  return `${text}${w.breaks(at, node.end)}${open === '' ? '' : `${open}{`}}`
}

/** The tag of what was caught is not known. */
function catchCode(w: Writing, node: Node): string {
  const body = node['body'] as Node
  const param = node['param'] as Node | null
  if (param === null) return native(w, node, () => blockCode(w, body))
  const { temporaries } = w.frame
  const head = w.source.slice(node.start, param.start) + patternCode(w, param) + w.source.slice(param.end, body.start)
  w.release(temporaries)
  const lets: string[] = []
  let writes = ''
  for (const { id } of namesOf(param)) {
    const variable = w.scopes.variable(id)
    if (variable === undefined) continue
    const text = tagging(w, id, () => w.opaqueTag(w.text(id)), true)
    if (text === '') continue
    if (variable.index >= 0) writes += `${text.slice(text.indexOf('=') + 1)};`
    // `catch (e) { var e }` is allowed, the same with the tags is not.
    else if (variable.scope.owner.variables.has(variable.name)) writes += `${text.replace(/^[^=]*/, `var $&`)};`
    else lets.push(text)
  }
  return head + blockCode(w, body, `${lets.length === 0 ? '' : `let ${lets.join(',')};`}${writes}`)
}

function exportCode(w: Writing, node: Node): string {
  const declaration = node['declaration'] as Node | null
  if (declaration === null) return ended(w.text(node), true)
  const before = w.source.slice(node.start, declaration.start)
  if (declaration.type !== 'VariableDeclaration') return before + statement(w, declaration)
  return before + declarationStatement(w, declaration, true) + w.breaks(lastEnd(declaration), node.end)
}

function defaultCode(w: Writing, node: Node): string {
  const declaration = node['declaration'] as Node
  w.hint = 'default'
  const breaks = w.breaks(node.start, declaration.start)
  if (declaration.type === 'FunctionDeclaration') {
    w.hint = ''
    return `export default ${breaks}${w.writers.functionCode(w, declaration, 'default')}`
  }
  if (declaration.type === 'ClassDeclaration') {
    w.hint = ''
    return `export default ${breaks}${classCode(w, declaration, 'default')}`
  }
  const { code } = w.expression(declaration)
  const inParentheses = declaration.type === 'FunctionExpression' || declaration.type === 'ClassExpression'
  return `export default ${breaks}${inParentheses ? `(${code})` : code}${w.breaks(declaration.end, node.end)};`
}
