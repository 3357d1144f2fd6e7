/**
 * TypeScript that Node itself runs (22.18 and later). Node removes the types after all loaders, so Heddle removes them the same way before it
 * instruments.
 */
import * as nodeModule from 'node:module'

interface Stripping {
  stripTypeScriptTypes?(source: string): string
}

/** With the types replaced by blanks: every place stays where it is. Undefined if Node cannot do it; its own message is the better one. */
export function withoutTypes(source: string): string | undefined {
  const { stripTypeScriptTypes } = nodeModule as Stripping
  if (stripTypeScriptTypes === undefined) return undefined
  const { emitWarning } = process
  try {
    // The function is experimental where the flag is not.
    process.emitWarning = () => {}
    return stripTypeScriptTypes(source)
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
