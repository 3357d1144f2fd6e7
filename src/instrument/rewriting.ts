/**
 * The state of one rewriting: the output, the sites, the scopes, and the current function. The files beside this one each write one family of syntax
 * with it. All of them write strictly from left to right.
 */
import { Output } from './output.ts'
import type { Scopes, Variable } from './scopes.ts'
import type { Original, SiteTable } from './sites.ts'
import type { Node } from './syntax.ts'
import { watchedOf, type CallNames, type Watched } from './watched.ts'

export interface InstrumentOptions {
  /** What the runtime is told; sites are relative to it. */
  readonly file: string
  readonly kind: 'module' | 'commonjs'
  /** Put `a` and `l` into async functions. */
  readonly stubs: boolean
  /** Also functions, branches and calls. */
  readonly detail: boolean
  /** Accesses to memory: all of them unless said otherwise. `elements`: only those that may be to shared memory. */
  readonly accesses?: boolean | 'elements'
  /** Calls and functions to look at by their names, whatever else is. */
  readonly calls?: CallNames | undefined
  /** The module was compiled from something else: sites are to be those of that. */
  readonly original?: Original
}

/** The function (or program, static block, initialiser) the pen is in. */
export interface Frame {
  readonly name: string
  /** Its own code is left as it is: it contains a direct eval. Functions inside are written as usual. */
  off: boolean
  /** Temporary variables in use, the most so far, and whether there is a place to declare them. */
  temporaries: number
  most: number
  place: boolean
  /** An async function whose answer may have to wait. */
  stub?: boolean
}

export class Rewriting {
  readonly out: Output
  readonly source: string
  readonly options: InstrumentOptions
  readonly scopes: Scopes
  readonly sites: SiteTable
  /** The name of the hooks in this module; all other names of ours begin with it. */
  readonly hooks: string
  readonly accesses: boolean
  /** Elements and Atomics are written with hooks. */
  readonly elements: boolean
  readonly watched: Watched
  frame: Frame
  /** What the next function is called if it has no name of its own. */
  hint = ''
  /** The class around, for names of methods. */
  className = ''
  /** The module-wide temporary for keys was used. */
  usesKey = false
  /** A hook without a site was written. */
  usesHooks = false
  /** Watched calls so far. */
  calls = 0
  /** Variables that are namespaces of imported modules. */
  readonly namespaces = new Set<Variable>()
  /** Member expressions that are called and watched: what closes the hook around their base. */
  readonly aroundBase = new Map<Node, string>()
  /** Functions that may run before the module has begun. */
  early: ReadonlySet<Node> = new Set()
  /** Calls that are links of an optional chain: nothing may be put before them. */
  readonly chained = new Set<Node>()
  /** Chains that are called, in parentheses: they must stay what can have a `this`. */
  readonly callees = new Set<Node>()
  /** Links whose `?.` was written out, with the variable that holds their base. */
  readonly writtenOut = new Map<Node, string>()
  /** Writes any node. */
  readonly emit: (node: Node) => void

  constructor(
    source: string,
    options: InstrumentOptions,
    scopes: Scopes,
    sites: SiteTable,
    hooks: string,
    emit: (r: Rewriting, node: Node) => void,
  ) {
    this.out = new Output(source)
    this.source = source
    this.options = options
    this.scopes = scopes
    this.sites = sites
    this.hooks = hooks
    this.accesses = (options.accesses ?? true) === true
    this.elements = options.accesses !== false
    this.watched = watchedOf(options.calls)
    this.frame = { name: '', off: scopes.program.hasEval, temporaries: 0, most: 0, place: true }
    this.emit = (node) => emit(this, node)
  }

  site(offset: number): number {
    return this.sites.add(offset, this.frame.name)
  }

  /** `$hd.r(` */
  call(hook: string): string {
    return `${this.hooks}.${hook}(`
  }

  /** Writes a call of a hook around an expression, inside its parentheses if it has any. */
  wrap(node: Node, before: string, after: string): void {
    const { out } = this
    out.copy(node.start)
    const sequence = node.type === 'SequenceExpression'
    out.open(sequence ? `${before}(` : before)
    this.emit(node)
    out.copy(node.end)
    out.put(sequence ? `)${after}` : after)
  }

  /** Takes a temporary variable of the function, or undefined where it has no place for one. Free it with `release`. */
  temporary(): string | undefined {
    const { frame } = this
    if (!frame.place) return undefined
    frame.temporaries++
    frame.most = Math.max(frame.most, frame.temporaries)
    return `${this.hooks}t${frame.temporaries}`
  }

  release(name: string | undefined): void {
    if (name !== undefined) this.frame.temporaries--
  }

  /** The module's temporary for keys: only for code in which nothing of the program runs between its write and its last read. */
  key(): string {
    this.usesKey = true
    return `${this.hooks}k`
  }

  /** `$hd.vr($hds0,1,` and so on: a hook of a variable up to its site. */
  variableCall(hook: string, variable: Variable, offset: number): string {
    return `${this.call(hook)}${this.hooks}${variable.scope.id},${variable.index},${this.site(offset)},`
  }

  text(node: Node): string {
    return this.source.slice(node.start, node.end)
  }

  /** Names and `this`: evaluating them again gives the same and does nothing else. */
  isSimple(node: Node): boolean {
    return node.type === 'Identifier' || node.type === 'ThisExpression'
  }

  /** The same even after code of the program has run. */
  isStable(node: Node): boolean {
    return node.type === 'ThisExpression' || (node.type === 'Identifier' && this.scopes.variable(node)?.written === false)
  }

  isGlobal(node: Node, name: string): boolean {
    return node.type === 'Identifier' && node['name'] === name && this.scopes.variable(node) === undefined
  }
}
