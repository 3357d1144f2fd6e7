/**
 * Functions: at their begin they take the tags of their parameters from whoever called them. Then the objects of scopes, temporary variables,
 * stubs of async functions, and events of watched functions, as in ../functions.ts. Arrow functions get a body.
 */
import type { Scope } from '../scopes.ts'
import { afterArrow, type Node } from '../syntax.ts'
import { untouched } from './native.ts'
import { namesOf, patternCode } from './patterns.ts'
import { returned, scopeObject, statementList } from './blocks.ts'
import { hasTag, tagName } from './variables.ts'
import type { Writing } from './writing.ts'

/** What runs first in a function: before and after the declarations of ours, and what closes it. */
interface Start {
  readonly guard: string
  readonly begin: string
  readonly end: string
}

export function functionCode(w: Writing, node: Node, hint: string): string {
  const { calls } = w
  const written = writeFunction(w, node, hint)
  const params = node['params'] as Node[]
  const aliases = written.usesArguments && !written.strict && params.length > 0 && params.every((param) => param.type === 'Identifier')
  if (!aliases || !params.some((param) => w.scopes.variable(param)!.bound)) return written.code
  // In sloppy code `arguments[0] = x` assigns to the first parameter: who writes parameters is not known, and everything is written anew.
  w.calls = calls
  for (const param of params) {
    const variable = w.scopes.variable(param)!
    variable.bound = false
    variable.written = true
  }
  return writeFunction(w, node, hint).code
}

interface WrittenFunction {
  readonly code: string
  readonly strict: boolean
  readonly usesArguments: boolean
}

function writeFunction(w: Writing, node: Node, hint: string): WrittenFunction {
  const scope = w.scopes.of(node)!
  const body = node['body'] as Node
  const outer = { frame: w.frame, className: w.className, strict: w.strict }
  const early = w.early.has(node)
  w.className = ''
  w.frame = {
    name: node['id']?.name ?? (hint || '<anonymous>'),
    temporaries: 0,
    most: 0,
    place: false,
    called: node['generator'] || scope.hasEval ? undefined : `${w.hooks}f`,
    stub: w.options.stubs && node['async'] && !node['generator'] && !scope.hasEval,
  }
  const isBlock = body.type === 'BlockStatement'
  if (isBlock && isStrict(body)) w.strict = true
  let code: string
  if (scope.hasEval) code = leftAlone(w, node)
  else {
    const bodyStart = isBlock ? body.start + 1 : afterArrow(w.source, node)
    code = headCode(w, node, bodyStart, early)
    w.frame.place = true
    const { declared, written, start } = functionStart(w, node, scope, early)
    if (isBlock) code += bodyCode(w, body['body'], scope, bodyStart, body.end - 1, start, declared, written) + '}'
    else {
      const objects = scopeObject(w, scope)
      const value = returned(w, body, w.breaks(bodyStart, body.start))
      const text = `return ${value}${w.breaks(body.end, node.end)}`
      code += `{${start.guard}${declarations(w, declared, objects)}${written}${start.begin}${text}${start.end}}`
    }
  }
  const { usesArguments = false } = w.frame
  const { strict } = w
  w.frame = outer.frame
  w.className = outer.className
  w.strict = outer.strict
  // Those of an arrow function are those of the function around it.
  if (node.type === 'ArrowFunctionExpression' && usesArguments) w.frame.usesArguments = true
  return { code, strict, usesArguments: usesArguments && node.type !== 'ArrowFunctionExpression' }
}

const isStrict = (body: Node): boolean => (body['body'] as Node[]).some((s) => s['directive'] === 'use strict')

/** It contains a direct eval: only functions in it are written. */
function leftAlone(w: Writing, node: Node): string {
  let at = node.start
  let code = ''
  for (const part of [...(node['params'] as Node[]), node['body'] as Node]) {
    code += w.source.slice(at, part.start) + untouched(w, part)
    at = part.end
  }
  return code + w.source.slice(at, node.end)
}

/** Up to the begin of the body. A function that may run before the module has begun evaluates its parameters before it can get the hooks. */
function headCode(w: Writing, node: Node, to: number, early: boolean): string {
  let at = node.start
  let code = ''
  for (const param of node['params'] as Node[]) {
    code += w.source.slice(at, param.start) + (early ? w.text(param) : patternCode(w, param))
    at = param.end
  }
  return code + w.source.slice(at, to)
}

/** The tags of parameters, and what runs before everything else. */
function functionStart(w: Writing, node: Node, scope: Scope, early: boolean): { declared: string[]; written: string; start: Start } {
  const { called } = w.frame
  const declared: string[] = called === undefined ? [] : [`${called}=${w.call('E')}${w.site(node.start)}${node['async'] ? ',1' : ''})`]
  let written = ''
  for (const [i, param] of (node['params'] as Node[]).entries()) {
    const isPattern = (param.type === 'AssignmentPattern' ? param['left'] : param).type.endsWith('Pattern')
    for (const { id, key } of namesOf(param)) {
      const variable = w.scopes.variable(id)
      if (variable === undefined || variable.scope !== scope) continue
      const name = w.text(id)
      let tag: string
      if (called === undefined || param.type === 'RestElement' || (isPattern && key === undefined)) tag = w.opaqueTag(name)
      else if (isPattern) tag = `${w.call('Ap')}${called},${i},${JSON.stringify(key)},${name},${w.site(id.start)})`
      else tag = `${w.call('A')}${called},${i},${name})`
      if (variable.index >= 0) written += `${w.variableCall('vw', variable, id.start)}${name},${tag});`
      else if (hasTag(variable)) declared.push(`${tagName(w, variable)}=${tag}`)
    }
  }
  return { declared, written, start: aroundBody(w, node, early) }
}

function aroundBody(w: Writing, node: Node, early: boolean): Start {
  const guard = early ? `${w.hooks}||${w.hooks}i();` : ''
  let begin = ''
  let end = ''
  if (w.frame.stub) {
    const site = w.site(node.start)
    // The answer waits, whichever way the function ends.
    begin += `var ${w.hooks}q=${w.call('a')}${site});try{`
    end = `}finally{if(${w.hooks}q)await ${w.call('l')}${site})}`
  }
  if (w.watched.execution(w.frame.name)) {
    const site = w.site(node.start)
    begin += `${w.call('e')}${site});try{`
    end = `}finally{${w.call('x')}${site})}${end}`
  }
  return { guard, begin, end }
}

/** Known only when the function is written: how many temporaries it needs. */
export function declarations(w: Writing, declared: readonly string[], objects: string): string {
  const names = [...(objects === '' ? [] : [objects]), ...declared]
  for (let i = 1; i <= w.frame.most; i++) names.push(`${w.hooks}t${i}`)
  return names.length === 0 ? '' : `var ${names.join(',')};`
}

/** The statements of a function between its braces. Directives stay first. */
export function bodyCode(
  w: Writing,
  statements: readonly Node[],
  scope: Scope,
  from: number,
  to: number,
  start: Start,
  declared: readonly string[] = [],
  written = '',
): string {
  const directives = statements.filter((s) => s['directive'] !== undefined)
  const first = directives.length > 0 ? directives[directives.length - 1]!.end : from
  const objects = scopeObject(w, scope)
  const code = statementList(w, statements.slice(directives.length), first, to)
  const text = start.guard + declarations(w, declared, objects) + written + start.begin
  return `${w.source.slice(from, first)}${directives.length > 0 ? ';' : ''}${text}${code}${start.end}`
}
