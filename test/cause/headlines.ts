/**
 * Does the headline name the cause that is written beside the program? A wrong program says in comments what kinds will do (`expects: atomicity, data-race`), what it is about (`at: visits`,
 * left out where names differ from run to run), and marks the lines that take part (`// bug`). There are three answers: right, not isolated, and wrong.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { CheckJson } from '../node-bugs/run.ts'

export interface Expected {
  readonly kinds: readonly string[]
  /** Part of the location. */
  readonly at: string | undefined
  /** `counter.mjs:17` */
  readonly lines: readonly string[]
}

export type Verdict = 'right' | 'not isolated' | 'wrong' | 'not found'

/** Undefined where nothing is written beside it yet. */
export function expectedOf(file: string): Expected | undefined {
  const text = readFileSync(file, 'utf8')
  const comment = (name: string): string | undefined => new RegExp(`^// ${name}: (.*)$`, 'm').exec(text)?.[1]
  const lines = text.split('\n').flatMap((line, i) => (/\/\/ bug\b/.test(line) ? [`${basename(file)}:${i + 1}`] : []))
  const kinds = comment('expects')?.split(', ') ?? []
  return kinds.length === 0 || lines.length === 0 ? undefined : { kinds, at: comment('at'), lines }
}

/** Both lines of the conflict have to be marked; where it is on one line, that one. */
export function verdictOf(failed: CheckJson['findings'], { kinds, at, lines }: Expected): Verdict {
  const [headline] = failed
  if (!headline) return 'not found'
  if (headline.kind === 'not isolated') return 'not isolated'
  const isMarked = (site: string): boolean =>
    site.split(/[ /(),]+/).some((word) => lines.some((line) => word === line || word.startsWith(`${line}:`)))
  // What only leads to the two is behind them.
  const isAt = headline.sites.length > 0 && headline.sites.slice(0, 2).every(isMarked)
  const isOn = at === undefined || headline.locations.some((location) => location.includes(at))
  return kinds.includes(headline.kind) && isAt && isOn ? 'right' : 'wrong'
}
