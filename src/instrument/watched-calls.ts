/**
 * Watched calls as they are written. A method is looked at where it is called: `$hd.k(a,"query",0).query(x)`,
 * or, where the base can be written twice, `($hd.k(a,"query",0),a.query(x))`, which keeps messages such as "a.query is not a function". What
 * the hook returns instead of the base counts only in the first form, so that one is written for `inPlace` names and for namespaces of modules,
 * whose methods cannot be replaced.
 */
import { mayWrapBase } from './chains.ts'
import type { Rewriting } from './rewriting.ts'
import type { Node } from './syntax.ts'
import { watchedMethod } from './watched.ts'

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
