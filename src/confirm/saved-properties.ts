/** The declarations that saved schedules were made for. They are checked again when the schedules are replayed. */
import type { Declaration } from '../property/ast.ts'
import { parseProperties } from '../property/parse.ts'
import type { Saved } from '../schedule/saved.ts'

/** `known` ones keep their place: a file may have been mended since. One that cannot be read any more is left out. */
export function withSaved(known: readonly Declaration[], saved: readonly Saved[]): Declaration[] {
  const byName = new Map(known.map((declaration) => [declaration.name, declaration]))
  for (const { property } of saved) {
    if (!property || byName.has(property.name)) continue
    for (const declaration of declarationsIn(property.text)) byName.set(declaration.name, declaration)
  }
  return [...byName.values()]
}

function declarationsIn(text: string): readonly Declaration[] {
  try {
    return parseProperties(text, 'the saved schedule').declarations
  } catch {
    return []
  }
}
