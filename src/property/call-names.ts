/** Names of calls, `BoundPool:Pool:EventEmitter.query`, and the patterns that speak of them. */
import type { CallPattern, ClassPattern } from './ast.ts'
import { globFits } from './globs.ts'

export interface CallName {
  /** The class of the receiver, then those it extends; or the module. Empty for a function without either. */
  readonly owners: readonly string[]
  readonly method: string
}

/** Files of modules may have dots (`lib/pool.js.open`), methods none, unless their name is a symbol: `Map.[Symbol.iterator]`. */
export function callName(name: string): CallName {
  const symbol = name.indexOf('.[')
  const dot = symbol >= 0 ? symbol : name.lastIndexOf('.')
  if (dot <= 0) return { owners: [], method: name }
  return { owners: name.slice(0, dot).split(':'), method: name.slice(dot + 1) }
}

/** `Pool.query`: the class itself is Pool. `Pool+.query`: it or one it extends. `*.query`: always. `query`: a function without a receiver. */
export function ownerFits({ owner, subclasses }: CallPattern, { owners }: CallName): boolean {
  if (owner === undefined) return owners.length === 0
  if (owner === '*') return true
  return classFits({ name: owner, subclasses }, owners)
}

/** `owners`: a class, then those it extends. */
export function classFits({ name, subclasses }: ClassPattern, owners: readonly string[]): boolean {
  if (owners.length === 0) return false
  return subclasses ? owners.some((owner) => globFits(name, owner)) : globFits(name, owners[0]!)
}

export const callFits = (pattern: CallPattern, name: CallName): boolean => globFits(pattern.method, name.method) && ownerFits(pattern, name)
