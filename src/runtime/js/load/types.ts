/** TypeScript that Node itself reads (22.18 and later): it takes the types out after all loaders, so for what comes before that Heddle does the same. */
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
