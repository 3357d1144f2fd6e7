/**
 * The cause that is written beside a wrong program, in one form for every front end:
 *
 *     // expects: atomicity, order-violation at items[id=7]      the kinds that name it, and a part of the location; a name that differs from run to run is left out
 *     counter++ // bug                                           a line that takes part
 *     // bug                                                     by itself: the line above
 *     // bug: node_modules/buggy/index.js:12                      a line of another file that takes part
 *
 * Samples of properties say `// expect NAME`, programs with branches `// sensitive: harmful`: there one marked line is enough, and the kind is known. With `// expects:` beside it the
 * conflict that the property or the branch shows may be the headline, too: the kind of a headline is that of the cause, whatever predictor it came from.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface Expected {
  readonly kinds: readonly string[]
  /** Part of the location. */
  readonly at: string | undefined
  /** `counter.mjs:17` */
  readonly lines: readonly string[]
  /** One of the lines is enough: where the last event of a property, or a branch, is marked. */
  readonly isLast: boolean
}

/** `name`: of the file as findings have it. */
export function expectedOf(file: string, name = basename(file)): Expected | undefined {
  return expectedIn(readFileSync(file, 'utf8'), name)
}

/** Undefined where nothing is written beside it. */
export function expectedIn(text: string, name: string): Expected | undefined {
  const lines = text.split('\n')
  const at = (fits: RegExp): string[] =>
    lines.flatMap((line, i) => (fits.test(line) ? [`${name}:${/^\s*\/\/ bug$/.test(line) ? i : i + 1}`] : []))
  const [, named = '', where] = /^(?:\/\/|#) expects: (.+?)(?: at (.+))?$/m.exec(text) ?? []
  const kinds = named === '' ? [] : named.split(', ')
  const property = lines.flatMap((line) => /\/\/ expect (\w+)$/.exec(line)?.[1] ?? [])
  if (property.length > 0) return { kinds: ['property', 'typestate', ...kinds], at: where, lines: at(/\/\/ expect \w+$/), isLast: true }
  const harmful = at(/\/\/ sensitive: harmful$/)
  if (harmful.length > 0) return { kinds: ['branch', ...kinds], at: where, lines: [...harmful, ...at(/\/\/ bug\b(?!:)/)], isLast: true }
  const elsewhere = lines.flatMap((line) => /^\/\/ bug: (\S+)$/.exec(line)?.[1] ?? [])
  const marked = [...at(/\/\/ bug\b(?!:)/), ...elsewhere]
  return kinds.length === 0 || marked.length === 0 ? undefined : { kinds, at: where, lines: marked, isLast: false }
}
