/**
 * What is inserted at the beginning of functions, blocks and the module: the objects of scopes, temporary variables, stubs of async functions, and
 * with `detail` the events of entry and exit.
 */
import { RUNTIME } from './hooks.ts'
import { emitPattern } from './patterns.ts'
import type { Rewriting } from './rewriting.ts'
import type { Scope } from './scopes.ts'
import { afterArrow, nextToken, type Node } from './syntax.ts'

export function emitFunction(r: Rewriting, node: Node, hint: string): void {
  const { out, source } = r
  const outer = r.frame
  const outerClass = r.className
  const scope = r.scopes.of(node)!
  const body = node['body'] as Node
  const early = r.early.has(node)
  r.className = ''
  r.frame = { name: node['id']?.name ?? (hint || '<anonymous>'), off: scope.hasEval, temporaries: 0, most: 0, place: false }
  // A function that may run before the module has begun evaluates its parameters before it can get the hooks.
  if (!early) for (const param of node['params'] as Node[]) emitPattern(r, param)
  r.frame.place = !scope.hasEval
  if (body.type === 'BlockStatement') emitBody(r, body, scope, body.start + 1, functionStart(r, node, early))
  else {
    out.copy(afterArrow(source, node))
    const before = out.reserve()
    const start = functionStart(r, node, early)
    const objects = scopeObjects(r, scope)
    r.emit(body)
    out.copy(node.end)
    const text = declarations(r, objects) + start.begin
    if (text !== '') {
      const [open, close] = returned(r, body)
      out.fill(before, `{${text}return(${open}`)
      out.put(`${close})${start.end}}`)
    }
  }
  r.frame = outer
  r.className = outerClass
}

/** What runs first in a function: before and after the declarations of ours, and what closes it. */
interface Start {
  readonly guard: string
  readonly begin: string
  readonly end: string
}

const NOTHING: Start = { guard: '', begin: '', end: '' }

function functionStart(r: Rewriting, node: Node, early: boolean): Start {
  if (r.frame.off) return NOTHING
  const guard = early ? `${r.hooks}||${r.hooks}i();` : ''
  let begin = ''
  let end = ''
  if (r.options.stubs && node['async'] && !node['generator']) {
    const site = r.site(node.start)
    // The answer waits, whichever way the function ends.
    r.frame.stub = true
    begin += `var ${r.hooks}q=${r.call('a')}${site});try{`
    end = `}finally{if(${r.hooks}q)await ${r.call('l')}${site})}`
  }
  if (r.options.detail || r.watched.execution(r.frame.name)) {
    const site = r.site(node.start)
    begin += `${r.call('e')}${site});try{`
    end = `}finally{${r.call('x')}${site})}${end}`
  }
  return { guard, begin, end }
}

const MAY_BE_PROMISE = new Set(
  'AssignmentExpression CallExpression ChainExpression ConditionalExpression Identifier ImportExpression LogicalExpression MemberExpression NewExpression SequenceExpression TaggedTemplateExpression'.split(
    ' ',
  ),
)

/** What stands around the value a function returns: a promise that fails while the answer waits has nobody yet who handles it. */
function returned(r: Rewriting, value: Node): readonly [string, string] {
  return r.frame.stub && MAY_BE_PROMISE.has(value.type) ? [`${r.call('ar')}${r.hooks}q,`, ')'] : ['', '']
}

export function emitReturn(r: Rewriting, node: Node): void {
  const value = node['argument'] as Node | null
  if (value === null) return
  const [open, close] = returned(r, value)
  if (open === '') r.emit(value)
  else r.wrap(value, open, close)
}

/** `$hds1=$hd.s(12,2)`, or '' for a scope without variables to record. */
function scopeObjects(r: Rewriting, scope: Scope | undefined): string {
  if (!r.accesses || scope === undefined || scope.tracked.length === 0) return ''
  const first = r.sites.size
  for (const variable of scope.tracked) r.sites.add(variable.start, variable.name)
  return `${r.hooks}${scope.id}=${r.call('s')}${first},${scope.tracked.length})`
}

/** Known only when the function is written: how many temporaries it needs. */
function declarations(r: Rewriting, objects: string): string {
  const names = objects === '' ? [] : [objects]
  for (let i = 1; i <= r.frame.most; i++) names.push(`${r.hooks}t${i}`)
  return names.length === 0 ? '' : `var ${names.join(',')};`
}

/** A list of statements that is the body of a function, from `start` on. Directives stay first. */
function emitBody(r: Rewriting, body: Node, scope: Scope | undefined, start: number, first: Start): void {
  const { out } = r
  const directives = (body['body'] as Node[]).filter((statement) => statement['directive'] !== undefined)
  out.copy(directives.length > 0 ? directives[directives.length - 1]!.end : start)
  const place = out.reserve()
  const objects = scopeObjects(r, scope)
  emitStatements(r, body['body'])
  const text = first.guard + declarations(r, objects) + first.begin
  if (text !== '') out.fill(place, directives.length > 0 ? `;${text}` : text)
  if (first.end !== '') {
    out.copy(body.end - 1)
    out.put(first.end)
  }
}

export function emitStatements(r: Rewriting, statements: readonly Node[]): void {
  const { out } = r
  for (const statement of statements) {
    if (statement.type !== 'ExpressionStatement') {
      r.emit(statement)
      continue
    }
    if (statement['directive'] !== undefined) continue
    out.copy(statement.start)
    const guard = out.reserve()
    r.emit(statement)
    // After a line without a semicolon our parenthesis would be taken for a call.
    if (out.startsWithParenthesis(guard + 1)) out.fill(guard, ';')
  }
}

export function emitBlock(r: Rewriting, node: Node): void {
  const objects = scopeObjects(r, r.scopes.of(node))
  if (objects !== '') {
    r.out.copy(node.start + 1)
    r.out.put(`let ${objects};`)
  }
  emitStatements(r, node['body'])
}

/** `static { }` in a class is a function of its own. */
export function emitStaticBlock(r: Rewriting, node: Node): void {
  const outer = r.frame
  const scope = r.scopes.of(node)!
  r.frame = { name: `${r.className}.<static>`, off: scope.hasEval, temporaries: 0, most: 0, place: !scope.hasEval }
  emitBody(r, node, scope, nextToken(r.source, node.start + 'static'.length) + 1, NOTHING)
  r.frame = outer
}

/** The whole module. What stands before its first statement is written last, when everything is known. */
export function emitProgram(r: Rewriting, program: Node): string {
  const { out, source, scopes } = r
  const statements = program['body'] as readonly Node[]
  const directives = statements.filter((statement) => statement['directive'] !== undefined)
  let start = source.charCodeAt(0) === 0xfeff ? 1 : 0
  if (source.startsWith('#!', start)) start = Math.min(source.length, nextLine(source))
  if (directives.length > 0) start = directives[directives.length - 1]!.end
  out.copy(start)
  const place = out.reserve()
  const objects = scopeObjects(r, scopes.program)
  emitStatements(r, statements)
  out.copy(source.length)
  if (r.sites.size === 0 && !r.usesHooks) return source
  // Programs declare `Symbol` and even `globalThis` of their own; one that has both of these is not known.
  const global = scopes.program.variables.has('globalThis') ? 'global' : 'globalThis'
  const file = JSON.stringify(r.options.file)
  const hooks = `${r.hooks}=${global}[${global}.Symbol.for("${RUNTIME}")](${escape(file)},${escape(JSON.stringify(r.sites.encode()))})`
  const others = Array.from({ length: r.frame.most }, (_, i) => `${r.hooks}t${i + 1}`)
  if (r.usesKey) others.push(`${r.hooks}k`)
  let text: string
  if (r.early.size === 0) text = `var ${[hooks, ...(objects === '' ? [] : [objects]), ...others].join(',')};`
  else {
    const names = [r.hooks, ...(objects === '' ? [] : [`${r.hooks}${scopes.program.id}`]), ...others]
    text = `var ${names.join(',')};function ${r.hooks}i(){${hooks}${objects === '' ? '' : `;${objects}`}}${r.hooks}||${r.hooks}i();`
  }
  out.fill(place, directives.length > 0 ? `;${text}` : text)
  return out.text()
}

/** Line separators may stand in JSON and in strings of today, but they count as line breaks in stack traces. */
const escape = (json: string): string => json.replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)

function nextLine(source: string): number {
  const match = /\r\n|[\n\r\u2028\u2029]/.exec(source)
  return match === null ? source.length : match.index + match[0].length
}
