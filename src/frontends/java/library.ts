/** The properties that every Java program is checked for by default: `library/java.prop`. */
import type { Property, Typestate } from '../../property/ast.ts'
import { libraryFiles } from '../../property/library.ts'
import { watchesOf, type Watch } from '../../property/watch.ts'

const declared = () =>
  libraryFiles()
    .filter(({ name }) => name === 'java.prop')
    .flatMap(({ declarations }) => declarations)

export function javaLibrary(): { readonly properties: readonly Property[]; readonly typestates: readonly Typestate[] } {
  const all = declared()
  return { properties: all.filter((d) => d.kind === 'property'), typestates: all.filter((d) => d.kind === 'typestate') }
}

/** `except`: classes of receivers whose calls need not be recorded. */
export interface JavaWatch extends Watch {
  readonly except?: readonly string[]
}

/** These know who has taken them: an `unlock` of another thread throws whatever the order is, so no order of theirs breaks the library's rules about locks. */
const OWNED = ['ReentrantLock', 'ReentrantReadWriteLock.ReadLock', 'ReentrantReadWriteLock.WriteLock']

/** Calls that these, and the user's own, speak of. */
export const watchesWith = (asked: readonly Watch[] = []): JavaWatch[] => [
  ...watchesOf(declared()).map((watch) => (watch.owner === 'Lock' ? { ...watch, except: OWNED } : watch)),
  ...asked,
]
