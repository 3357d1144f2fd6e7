/**
 * Calls that somebody wants to hear of, by the name they are made under. A method is looked at where it is called: `$hd.k(a,"query",0).query(x)`,
 * or, where the base can be written twice, `($hd.k(a,"query",0),a.query(x))`, which keeps messages such as "a.query is not a function". What
 * the hook returns instead of the base counts only in the first form, so that one is written for `inPlace` names and for namespaces of modules,
 * whose methods cannot be replaced.
 */
import { mayWrapBase } from './chains.ts'
import { isShared } from './members.ts'
import type { Rewriting } from './rewriting.ts'
import type { Node } from './syntax.ts'

/** Globs, where `*` stands for anything. Plain data: it is sent to another thread. */
export interface CallNames {
  readonly methods: readonly string[]
  /** Those of the methods that built-in collections may have: they are recorded where they are called. */
  readonly inPlace: readonly string[]
  /** Functions without a receiver. */
  readonly functions: readonly string[]
  /** Functions whose begin and end is wanted; of methods the name (`query`) or both (`Pool.query`). */
  readonly executions: readonly string[]
}

type Test = (name: string) => boolean

export interface Watched {
  readonly method: Test
  readonly inPlace: Test
  readonly function: Test
  readonly execution: Test
}

const compiled = new WeakMap<CallNames, Watched>()
const NOBODY: Watched = { method: () => false, inPlace: () => false, function: () => false, execution: () => false }

export function watchedOf(names: CallNames | undefined): Watched {
  if (names === undefined) return NOBODY
  let known = compiled.get(names)
  if (known === undefined) {
    const execution = globTest(names.executions)
    known = {
      method: globTest(names.methods),
      inPlace: globTest(names.inPlace),
      function: globTest(names.functions),
      execution: (name) => execution(name) || execution(name.slice(name.lastIndexOf('.') + 1)),
    }
    compiled.set(names, known)
  }
  return known
}

export function globTest(globs: readonly string[]): Test {
  const exact = new Set(globs.filter((glob) => !glob.includes('*')))
  const patterns = globs
    .filter((glob) => glob.includes('*'))
    .map((glob) => {
      const body = glob.split(/\*+/).map((part) => part.replace(/[.+^${}()|[\]\\?]/g, '\\$&'))
      return new RegExp(`^${body.join('.*')}$`, 's')
    })
  return (name) => exact.has(name) || patterns.some((pattern) => pattern.test(name))
}

/** May a module with this text have something to watch? Quick; it may say yes for nothing. */
export function mentions(source: string, { methods, functions, executions }: CallNames): boolean {
  return [methods, functions, executions].some((globs) =>
    globs.some((glob) => source.includes(glob.includes('*') ? longestPart(glob) : glob.slice(glob.lastIndexOf('.') + 1))),
  )
}

const longestPart = (glob: string): string =>
  glob
    .split('*')
    .flatMap((part) => part.split('.'))
    .reduce((a, b) => (b.length > a.length ? b : a))

/** The name of a method that is called and watched. */
export function watchedMethod(r: Rewriting, callee: Node): string | undefined {
  if (callee.type !== 'MemberExpression' || callee['computed'] || callee['property'].type !== 'Identifier') return undefined
  const name = callee['property'].name as string
  return r.watched.method(name) && isShared(r, callee['object']) ? name : undefined
}

/** Some link of an optional chain is watched. */
export function chainIsWatched(r: Rewriting, link: Node): boolean {
  for (let at: Node | undefined = link; at !== undefined; at = (at['object'] ?? at['callee']) as Node | undefined) {
    if (at.type === 'CallExpression' && watchedMethod(r, at['callee']) !== undefined) return true
  }
  return false
}

/**
 * Begins a call of a method. Returns what is to be put after the call, or undefined if nothing is: then the base may have a hook (`aroundBase`).
 */
export function beginWatched(r: Rewriting, node: Node, callee: Node): string | undefined {
  const name = watchedMethod(r, callee)
  if (name === undefined) return undefined
  const base = callee['object'] as Node
  const isNamespace = base.type === 'Identifier' && r.namespaces.has(r.scopes.variable(base)!)
  if (r.isSimple(base) && !isNamespace && !r.watched.inPlace(name) && !node['optional'] && !callee['optional'] && !r.chained.has(node)) {
    r.usesHooks = true
    r.out.copy(node.start)
    r.out.put(`(${r.call('k')}${r.text(base)},${rest(r, name)},`)
    return ')'
  }
  if (mayWrapBase(r, callee)) r.aroundBase.set(callee, `,${rest(r, name)}`)
  return undefined
}

/** The arguments after the base: the name, and which call of the module this is. */
const rest = (r: Rewriting, name: string): string => `${JSON.stringify(name)},${r.calls++})`

/** `$hd.kf("lock",lock,0)(x)`. False if it is no such call. */
export function emitWatchedFunction(r: Rewriting, node: Node, callee: Node): boolean {
  if (callee.type !== 'Identifier' || NOT_FUNCTIONS.has(callee['name']) || !r.watched.function(callee['name'])) return false
  r.usesHooks = true
  r.wrap(callee, `${r.call('kf')}${JSON.stringify(callee['name'])},`, `,${r.calls++})`)
  for (const argument of node['arguments'] as Node[]) r.emit(argument)
  return true
}

/** `eval` is one only under this name; importers of CommonJS modules look for the text of `require`. */
const NOT_FUNCTIONS = new Set(['eval', 'require', 'arguments'])
