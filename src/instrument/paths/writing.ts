/**
 * The state of one rewriting with tags. Unlike the writer of ../output.ts, which goes through the text from left to right, this one makes the
 * code of a node out of the code of its parts: an operation becomes a call of a hook whose arguments are the operands, each followed by its
 * tag. Line breaks between the parts are kept, so that every line keeps its number; comments inside of statements are not.
 */
import type { InstrumentOptions } from '../rewriting.ts'
import type { Scopes, Variable } from '../scopes.ts'
import type { SiteTable } from '../sites.ts'
import type { Node } from '../syntax.ts'
import { watchedOf, type Watched } from '../watched.ts'

/**
 * An expression as written: `code` can be an argument and (but for arrow functions) an operand; `tag` is the text that gives its tag right after
 * it was evaluated: `0`, the variable of a tag, or the register.
 */
export interface Written {
  readonly code: string
  readonly tag: string
}

/** The function (or program, static block, initialiser) the pen is in. */
export interface Frame {
  readonly name: string
  /** Temporary variables in use, the most so far, and whether there is a place to declare them. */
  temporaries: number
  most: number
  place: boolean
  /** The variable with what `E` returned, where there is one. */
  readonly called?: string | undefined
  /** `arguments` was written. */
  usesArguments?: boolean
  /** An async function whose answer may have to wait. */
  readonly stub?: boolean
}

/** What writes nodes; given from outside, so that the files need not import each other in circles. */
export interface Writers {
  expression(w: Writing, node: Node): Written
  effect(w: Writing, node: Node): string
  statement(w: Writing, node: Node): string
  functionCode(w: Writing, node: Node, hint: string): string
}

export class Writing {
  readonly source: string
  readonly options: InstrumentOptions
  readonly scopes: Scopes
  readonly sites: SiteTable
  /** The name of the hooks in this module; all other names of ours begin with it. */
  readonly hooks: string
  /** The register. */
  readonly reg: string
  readonly watched: Watched
  readonly writers: Writers
  frame: Frame
  strict: boolean
  /** What the next function is called if it has no name of its own. */
  hint = ''
  /** The class around, for names of methods. */
  className = ''
  /** Watched calls so far. */
  calls = 0
  /** Functions that may run before the module has begun. */
  early: ReadonlySet<Node> = new Set()
  /** Variables of the pattern being written: their tags are not there yet. */
  readonly pending = new Set<Variable>()

  constructor(source: string, options: InstrumentOptions, scopes: Scopes, sites: SiteTable, hooks: string, writers: Writers) {
    this.source = source
    this.options = options
    this.scopes = scopes
    this.sites = sites
    this.hooks = hooks
    this.reg = `${hooks}T.t`
    this.watched = watchedOf(options.calls)
    this.writers = writers
    this.frame = { name: '', temporaries: 0, most: 0, place: true }
    this.strict = options.kind === 'module'
  }

  expression(node: Node): Written {
    return this.writers.expression(this, node)
  }

  /** The value is not used: may contain commas. */
  effect(node: Node): string {
    return this.writers.effect(this, node)
  }

  statement(node: Node): string {
    return this.writers.statement(this, node)
  }

  /** The code where an operand must stand. */
  operand(node: Node): string {
    const { code } = this.expression(node)
    return node.type === 'ArrowFunctionExpression' ? `(${code})` : code
  }

  site(offset: number): number {
    return this.sites.add(offset, this.frame.name)
  }

  /** `$hd.G(` */
  call(hook: string): string {
    return `${this.hooks}.${hook}(`
  }

  get strictness(): string {
    return this.strict ? '1' : '0'
  }

  /** Not followed. */
  opaque(code: string): Written {
    return { code: `${this.call('O')}${code})`, tag: this.reg }
  }

  /** The tag of a value that is not followed, as an expression. */
  opaqueTag(code: string): string {
    return `(${this.call('O')}${code}),${this.reg})`
  }

  /** The code of an expression that leaves its tag in the register. */
  registered({ code, tag }: Written): string {
    return tag === this.reg ? code : `${this.call('c')}${code},${tag})`
  }

  text(node: Node): string {
    return this.source.slice(node.start, node.end)
  }

  /** The line breaks of a part of the source. */
  breaks(from: number, to: number): string {
    let found = ''
    for (let i = from; i < to; i++) {
      const c = this.source.charCodeAt(i)
      if (c === 10 || c === 13 || c === 0x2028 || c === 0x2029) found += this.source[i]
    }
    return found
  }

  /** Takes a temporary variable of the function. Only where it has a place for one. Free it with `release`. */
  temporary(): string {
    const { frame } = this
    frame.temporaries++
    frame.most = Math.max(frame.most, frame.temporaries)
    return `${this.hooks}t${frame.temporaries}`
  }

  /** Frees all that were taken since there were so many. */
  release(count: number): void {
    this.frame.temporaries = count
  }

  /** Writes what may use variables before their tags are there. */
  withoutTags<T>(variables: readonly (Variable | undefined)[], write: () => T): T {
    const added = variables.filter((variable) => variable !== undefined && !this.pending.has(variable))
    for (const variable of added) this.pending.add(variable!)
    const written = write()
    for (const variable of added) this.pending.delete(variable!)
    return written
  }

  /** `$hd.vr($hds0,1,7,` and so on: a hook of a variable up to its site. */
  variableCall(hook: string, variable: Variable, offset: number): string {
    return `${this.call(hook)}${this.hooks}${variable.scope.id},${variable.index},${this.site(offset)},`
  }

  isGlobal(node: Node, name: string): boolean {
    return node.type === 'Identifier' && node['name'] === name && this.scopes.variable(node) === undefined
  }

  /** Evaluating it again gives the same, even after code of the program has run. */
  isStable(node: Node): boolean {
    if (node.type === 'ThisExpression' || (node.type === 'Literal' && typeof node['value'] === 'number')) return true
    const variable = node.type === 'Identifier' ? this.scopes.variable(node) : undefined
    return variable !== undefined && !variable.written && !variable.scope.blurred
  }
}
