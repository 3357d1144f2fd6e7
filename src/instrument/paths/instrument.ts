/**
 * Source to source, for `--branches`: every operation of a module becomes a call of a hook (hooks.ts), beside values the code moves tags of expressions.
 * The module must mean what it meant, and every line keeps its number.
 */
import { HOOKS } from '../hooks.ts'
import type { Instrumented, Skipped } from '../instrument.ts'
import type { InstrumentOptions } from '../rewriting.ts'
import { exportedFunctions, Scopes } from '../scopes.ts'
import { lineStartsOf, SiteTable } from '../sites.ts'
import { parseSource, UnknownSyntax, type Node } from '../syntax.ts'
import { columnsOf } from './columns.ts'
import { effect, expression } from './expressions.ts'
import { declarations, functionCode } from './functions.ts'
import { PATHS_RUNTIME } from './hooks.ts'
import { quoted, untouched } from './native.ts'
import { statement } from './statements.ts'
import { scopeObject, statementList } from './blocks.ts'
import { Writing } from './writing.ts'

export function instrumentPaths(source: string, options: InstrumentOptions): Instrumented | Skipped {
  let program: Node
  try {
    program = parseSource(source, options.kind)
  } catch (error) {
    return { skipped: `cannot be parsed: ${(error as Error).message}` }
  }
  const sites = new SiteTable(lineStartsOf(source))
  let hooks: string = HOOKS
  for (let i = 0; source.includes(hooks); i++) hooks = `${HOOKS}${i}`
  try {
    const w = new Writing(source, options, new Scopes(program), sites, hooks, { expression, effect, statement, functionCode })
    if (options.kind === 'module' && importsSomething(program)) w.early = exportedFunctions(program)
    const code = programCode(w, program)
    const encoded = sites.encode()
    return { code, sites: encoded, column: columnsOf(source, code, encoded) }
  } catch (error) {
    if (error instanceof UnknownSyntax) return { skipped: `uses syntax Heddle does not know: ${error.message}` }
    if (error instanceof RangeError) return { skipped: 'is nested too deeply' }
    throw error
  }
}

/** Only a module that imports others can be part of a circle. */
const importsSomething = (program: Node): boolean =>
  (program['body'] as Node[]).some((node) => node.type === 'ImportDeclaration' || node['source'])

/** The whole module. What stands before its first statement is written last, when everything is known. */
function programCode(w: Writing, program: Node): string {
  const { source, scopes } = w
  const statements = program['body'] as readonly Node[]
  const directives = statements.filter((s) => s['directive'] !== undefined)
  if (directives.some((s) => s['directive'] === 'use strict')) w.strict = true
  let start = source.charCodeAt(0) === 0xfeff ? 1 : 0
  if (source.startsWith('#!', start)) start = Math.min(source.length, nextLine(source))
  if (directives.length > 0) start = directives[directives.length - 1]!.end
  const objects = scopeObject(w, scopes.program)
  const rest = statements.slice(directives.length)
  const code = scopes.program.hasEval ? evalProgram(w, rest, start) : statementList(w, rest, start, source.length)
  // Programs declare `Symbol` and even `globalThis` of their own; one that has both of these is not known.
  const global = scopes.program.variables.has('globalThis') ? 'global' : 'globalThis'
  const make = `${w.hooks}=${global}[${global}.Symbol.for("${PATHS_RUNTIME}")](${quoted(w.options.file)},${quoted(w.sites.encode())})`
  const register = `${w.hooks}T=${w.hooks}.T`
  let text: string
  if (w.early.size === 0) text = declarations(w, [], [make, register, ...(objects === '' ? [] : [objects])].join(','))
  else {
    const names = [w.hooks, `${w.hooks}T`, ...(objects === '' ? [] : [`${w.hooks}${scopes.program.id}`])].join(',')
    const init = `function ${w.hooks}i(){${make};${register}${objects === '' ? '' : `;${objects}`}}`
    text = `${declarations(w, [], names)}${init}${w.hooks}||${w.hooks}i();`
  }
  return `${source.slice(0, start)}${directives.length > 0 ? ';' : ''}${text}${code}`
}

/** A direct eval at the top level: only functions are written. */
function evalProgram(w: Writing, statements: readonly Node[], start: number): string {
  let at = start
  let code = ''
  for (const node of statements) {
    code += w.source.slice(at, node.start) + untouched(w, node)
    at = node.end
  }
  return code + w.source.slice(at)
}

function nextLine(source: string): number {
  const match = /\r\n|[\n\r\u2028\u2029]/.exec(source)
  return match === null ? source.length : match.index + match[0].length
}
