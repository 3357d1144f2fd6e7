/** Does the headline of a check name the cause that is written beside the program (expected.ts)? There are four answers: right, not isolated, wrong, and not found. */
import type { OrderRow } from '../../src/schedule/order.ts'
import type { CheckJson } from '../node-bugs/run.ts'
import type { Expected } from './expected.ts'

export const VERDICTS = ['right', 'not isolated', 'wrong', 'not found'] as const
export type Verdict = (typeof VERDICTS)[number]
export type Headline = Pick<CheckJson['findings'][number], 'kind' | 'sites' | 'locations'> & { readonly failing?: readonly OrderRow[] }

/** Of these the last event, or the branch, is marked. */
const LAST = new Set(['property', 'typestate', 'branch'])

/** Both lines of the conflict have to be marked; where it is on one line, that one. Of a property, whose events may be many, two of the marked lines; of a sample, that of the last event. */
export function verdictOf(headline: Headline | undefined, { kinds, at, lines, isLast }: Expected): Verdict {
  if (!headline) return 'not found'
  if (headline.kind === 'not isolated') return 'not isolated'
  const isMarked = (site: string): boolean => lines.some((line) => names(site, line))
  const { sites, locations } = headline
  // What only leads to the two is behind them. Both may be one line.
  const own = new Set(headline.failing?.flatMap(({ accesses }) => accesses.slice(0, 1).map(({ site }) => site)))
  const ofConflict = sites.slice(0, own.size === 1 ? 1 : 2)
  const named = lines.filter((line) => sites.some((site) => names(site, line)))
  const isAt =
    isLast && LAST.has(headline.kind)
      ? named.length > 0
      : headline.kind === 'property'
        ? named.length >= Math.min(2, lines.length)
        : ofConflict.length > 0 && ofConflict.every(isMarked)
  const isOn = at === undefined || locations.some((location) => location.includes(at))
  return kinds.includes(headline.kind) && isAt && isOn ? 'right' : 'wrong'
}

/** `lib/a.c:17` is named by `src/lib/a.c:17:3 main < …`, not by `a.c:170`. */
function names(site: string, line: string): boolean {
  for (let at = site.indexOf(line); at >= 0; at = site.indexOf(line, at + 1))
    if (/^$|[ /(,]/.test(site.charAt(at - 1)) && /^$|[ :),]/.test(site.charAt(at + line.length))) return true
  return false
}
