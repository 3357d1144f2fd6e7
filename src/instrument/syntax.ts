/**
 * The syntax tree and what we ask about it: the parser's options, which parts a node has in the order of the text, and where the tokens are
 * that the tree does not tell.
 */
import { parse, parseExpressionAt, type Options } from 'acorn'

/** A node as the parser gives it. Its parts have the names of the ESTree specification. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [part: string]: any
}

export type Kind = 'module' | 'commonjs'

const optionsFor = (kind: Kind): Options => ({
  ecmaVersion: 'latest',
  sourceType: kind === 'module' ? 'module' : 'script',
  allowReturnOutsideFunction: kind === 'commonjs',
  allowHashBang: true,
  // The program's functions are ours to look at, whatever it exports by mistake: the engine will say so.
  checkPrivateFields: false,
})

export const parseSource = (source: string, kind: Kind): Node => parse(source, optionsFor(kind)) as unknown as Node

/** The expression that begins there. Throws where there is none, or where it can be read only with what stands around it. */
export const parseExpression = (source: string, start: number, kind: Kind): Node =>
  parseExpressionAt(source, start, optionsFor(kind)) as unknown as Node

/** Parts that may contain expressions, in the order of the text. Names of properties, labels and the like are not listed. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Program: ['body'],
  ExpressionStatement: ['expression'],
  BlockStatement: ['body'],
  StaticBlock: ['body'],
  EmptyStatement: [],
  DebuggerStatement: [],
  WithStatement: ['object', 'body'],
  ReturnStatement: ['argument'],
  LabeledStatement: ['body'],
  BreakStatement: [],
  ContinueStatement: [],
  IfStatement: ['test', 'consequent', 'alternate'],
  SwitchStatement: ['discriminant', 'cases'],
  SwitchCase: ['test', 'consequent'],
  ThrowStatement: ['argument'],
  TryStatement: ['block', 'handler', 'finalizer'],
  CatchClause: ['param', 'body'],
  WhileStatement: ['test', 'body'],
  DoWhileStatement: ['body', 'test'],
  ForStatement: ['init', 'test', 'update', 'body'],
  ForInStatement: ['left', 'right', 'body'],
  ForOfStatement: ['left', 'right', 'body'],
  FunctionDeclaration: ['params', 'body'],
  FunctionExpression: ['params', 'body'],
  ArrowFunctionExpression: ['params', 'body'],
  VariableDeclaration: ['declarations'],
  VariableDeclarator: ['id', 'init'],
  ThisExpression: [],
  Super: [],
  ArrayExpression: ['elements'],
  ObjectExpression: ['properties'],
  Property: ['key', 'value'],
  UnaryExpression: ['argument'],
  UpdateExpression: ['argument'],
  BinaryExpression: ['left', 'right'],
  AssignmentExpression: ['left', 'right'],
  LogicalExpression: ['left', 'right'],
  MemberExpression: ['object', 'property'],
  ChainExpression: ['expression'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  CallExpression: ['callee', 'arguments'],
  NewExpression: ['callee', 'arguments'],
  SequenceExpression: ['expressions'],
  YieldExpression: ['argument'],
  AwaitExpression: ['argument'],
  ImportExpression: ['source', 'options'],
  TemplateLiteral: ['expressions'],
  TaggedTemplateExpression: ['tag', 'quasi'],
  SpreadElement: ['argument'],
  RestElement: ['argument'],
  AssignmentPattern: ['left', 'right'],
  ArrayPattern: ['elements'],
  ObjectPattern: ['properties'],
  ClassDeclaration: ['superClass', 'body'],
  ClassExpression: ['superClass', 'body'],
  ClassBody: ['body'],
  MethodDefinition: ['key', 'value'],
  PropertyDefinition: ['key', 'value'],
  MetaProperty: [],
  Identifier: [],
  PrivateIdentifier: [],
  Literal: [],
  ImportDeclaration: [],
  ExportNamedDeclaration: ['declaration'],
  ExportDefaultDeclaration: ['declaration'],
  ExportAllDeclaration: [],
}

/** Syntax that this version does not know; the file is left alone. */
export class UnknownSyntax extends Error {}

/** Calls `visit` for the parts of a node. Keys that are names and not computed are left out. */
export function forParts(node: Node, visit: (part: Node) => void): void {
  const parts = PARTS[node.type]
  if (parts === undefined) throw new UnknownSyntax(node.type)
  for (const part of parts) {
    if ((part === 'key' || part === 'property') && !node['computed']) continue
    const value = node[part] as Node | readonly (Node | null)[] | null | undefined
    if (value == null) continue
    if (Array.isArray(value)) {
      for (const item of value as readonly (Node | null)[]) if (item !== null) visit(item)
    } else visit(value as Node)
  }
}

export const isFunction = (node: Node): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

/** A function or class without a name of its own: `x = function () {}` names it x. */
export const takesName = (node: Node): boolean =>
  node.type === 'ArrowFunctionExpression' || ((node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node['id'])

/** The offset of the first character from `from` on that is not white space, in a comment, or one of `past`. */
export function nextToken(source: string, from: number, past = ''): number {
  for (let i = from; i < source.length; i++) {
    const c = source.charCodeAt(i)
    const next = source.charCodeAt(i + 1)
    if (c === 47 && next === 42) i = source.indexOf('*/', i + 2) + 1
    else if (c === 47 && next === 47) i = endOfLine(source, i) - 1
    else if (c > 32 && (c < 128 || !/\s/.test(source[i]!)) && !past.includes(source[i]!)) return i
  }
  return source.length
}

function endOfLine(source: string, from: number): number {
  const end = /[\n\r\u2028\u2029]/g
  end.lastIndex = from
  return end.exec(source)?.index ?? source.length
}

/** Where the `.`, `?.` or `[` of a member expression is. */
export const memberToken = (source: string, node: Node): number => nextToken(source, node['object'].end, ')')

/** The offset after the `=>` of an arrow function. */
export function afterArrow(source: string, node: Node): number {
  const params = node['params'] as readonly Node[]
  let at = params.length > 0 ? params[params.length - 1]!.end : node.start
  if (params.length === 0 && node['async']) at += 'async'.length
  return nextToken(source, at, '(),') + 2
}
