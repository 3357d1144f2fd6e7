/** Calls that are watched, by the name they are made under. watched-calls.ts writes them. */
import type { Rewriting } from './rewriting.ts'
import { isShared } from './shared.ts'
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
