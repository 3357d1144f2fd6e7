/** Which properties a command looks for: those of the files it was given, and those that ship with Heddle. */
import { closest } from '../base/closest.ts'
import { HeddleError } from '../errors.ts'
import type { Declaration } from './ast.ts'
import { libraryDeclarations } from './library.ts'
import { openProperties } from './open.ts'

const LIBRARY = 'library:'

/** `given` are files, or `library:NAME`; `asked` has their names. Two of one name would not be told apart in reports. */
export function declarationsOf(
  given: readonly string[],
  library: boolean,
): { readonly properties: readonly Declaration[]; readonly asked: ReadonlySet<string> } {
  const all = libraryDeclarations()
  const chosen = given.flatMap((what) =>
    what.startsWith(LIBRARY) ? [ofLibrary(what.slice(LIBRARY.length), all)] : openProperties(what).declarations,
  )
  const byName = new Map<string, Declaration>()
  for (const declaration of library ? all.filter((d) => d.on) : []) byName.set(declaration.name, declaration)
  for (const declaration of chosen) byName.set(declaration.name, declaration)
  return { properties: [...byName.values()], asked: new Set(chosen.map((d) => d.name)) }
}

function ofLibrary(name: string, all: readonly Declaration[]): Declaration {
  const found = all.find((d) => d.name === name)
  if (found) return found
  const near = closest(
    name,
    all.map((d) => d.name),
  )
  throw new HeddleError(
    'no-such-property',
    `no property of the library is called ${name}`,
    near === undefined ? 'See `heddle property list`' : `Did you mean ${LIBRARY}${near}? See \`heddle property list\``,
  )
}
