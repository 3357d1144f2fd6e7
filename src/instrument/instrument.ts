/**
 * Source to source: inserts calls of hooks (hooks.ts) into a module, so that a runtime sees what it reads and writes. The module must keep its
 * meaning, and every line its number. What cannot be kept: the text of functions (the runtime returns that of the source), columns in stack traces
 * (`column` translates them), and messages of the engine that quote an expression.
 */
import { emitProgram } from './functions.ts'
import { HOOKS } from './hooks.ts'
import { mappingsOf } from './mappings.ts'
import { emit } from './rewrite.ts'
import { Rewriting, type InstrumentOptions } from './rewriting.ts'
import { exportedFunctions, Scopes } from './scopes.ts'
import { lineStartsOf, SiteTable } from './sites.ts'
import { Spans } from './spans.ts'
import { parseSource, UnknownSyntax, type Node } from './syntax.ts'

export type { InstrumentOptions } from './rewriting.ts'

export interface Instrumented {
  readonly code: string
  /** The sites as the code holds them; `decodeSites` reads them. */
  readonly sites: string
  /** The column of the source for a column of the code, in the same line; both from 1. */
  column(line: number, column: number): number
}

export interface WithMap extends Instrumented {
  /** What `column` goes by, as text: `Spans.decode` reads it. Empty where nothing was written. */
  spans(): string
  /** The same for all places at once: the `mappings` of a source map. */
  mappings(): string
}

export interface Skipped {
  /** Why, for people. */
  readonly skipped: string
}

export function instrument(source: string, options: InstrumentOptions): WithMap | Skipped {
  let program: Node
  try {
    program = parseSource(source, options.kind)
  } catch (error) {
    return { skipped: `cannot be parsed: ${(error as Error).message}` }
  }
  const lineStarts = lineStartsOf(source)
  const sites = new SiteTable(lineStarts, options.original)
  let hooks: string = HOOKS
  for (let i = 0; source.includes(hooks); i++) hooks = `${HOOKS}${i}`
  try {
    const r = new Rewriting(source, options, new Scopes(program), sites, hooks, emit)
    if (options.kind === 'module' && importsSomething(program)) r.early = exportedFunctions(program)
    if (options.calls !== undefined) noteNamespaces(r, program)
    const code = emitProgram(r, program)
    // The tree is not kept alive by what the columns need.
    const { out } = r
    let spans: Spans | undefined
    return {
      code,
      sites: sites.encode(),
      column: (line, column) => (code === source ? column : (spans ??= out.spans()).column(lineStarts, line, column)),
      spans: () => (code === source ? '' : (spans ??= out.spans()).encode()),
      mappings: () => mappingsOf(code === source ? [{ text: source, from: 0 }] : out.all(), lineStarts),
    }
  } catch (error) {
    if (error instanceof UnknownSyntax) return { skipped: `uses syntax Heddle does not know: ${error.message}` }
    if (error instanceof RangeError) return { skipped: 'is nested too deeply' }
    throw error
  }
}

/** `import * as name`. */
function noteNamespaces(r: Rewriting, program: Node): void {
  for (const statement of program['body'] as Node[]) {
    if (statement.type !== 'ImportDeclaration') continue
    for (const { type, local } of statement['specifiers'] as (Node & { local: Node })[]) {
      const variable = type === 'ImportNamespaceSpecifier' ? r.scopes.variable(local) : undefined
      if (variable !== undefined) r.namespaces.add(variable)
    }
  }
}

/** Only a module that imports others can be part of a circle. */
const importsSomething = (program: Node): boolean =>
  (program['body'] as Node[]).some((node) => node.type === 'ImportDeclaration' || node['source'])
