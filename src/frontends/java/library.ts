/** What every Java program is looked at for unless said otherwise: `library/java.prop`. */
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

/** Calls that these, and the user's own, speak of. */
export const watchesWith = (asked: readonly Watch[] = []): Watch[] => [...watchesOf(declared()), ...asked]
