/** Compares the findings of a check with what is written beside the application (apps.ts). */
import { sitesOf, type CheckJson } from '../node-bugs/run.ts'
import type { App } from './apps.ts'

type Finding = CheckJson['findings'][number]

/** By what protects the right version: the rules with which candidates at its row or key are refused. */
const RULES: readonly (readonly [protection: RegExp, ...rules: readonly string[]])[] = [
  [/^(FOR UPDATE)$/, 'row lock'],
  [/^(serializable|repeatable read|WATCH)$/, 'snapshot'],
  [/^(awaited)$/, 'must-order'],
  [/^(advisory lock)$/, 'lock'],
  // A key that is never given back is a lock that one SET takes, and no other.
  [/^(SET NX)$/, 'lock', 'one statement'],
  // Inside a transaction the second insert waits for the end of the first.
  [/^(unique constraint)$/, 'one statement', 'row lock'],
  [/^(atomic statement|compare-and-set|INCR|HINCRBY|Lua|MULTI|SET XX|one request)$/, 'one statement'],
]
export const rulesOf = ({ protection }: App): readonly string[] =>
  (RULES.find(([fits]) => fits.test(protection))?.slice(1) as string[]) ?? []

/** Was something at its row or key refused for what protects the right version? */
export const isRefused = (app: App, { coverage }: CheckJson): boolean =>
  (rulesOf(app).includes('must-order') && coverage.some(({ infeasible }) => (infeasible['must-order'] ?? 0) > 0)) ||
  protections({ coverage }).some(({ location, by }) => rulesOf(app).includes(by) && location.startsWith(app.expected.at ?? ''))

export const protections = ({ coverage }: Pick<CheckJson, 'coverage'>): readonly { readonly location: string; readonly by: string }[] =>
  coverage.flatMap((row) => row.protected ?? [])

export const isKind = ({ kind, pattern }: Finding, app: App): boolean =>
  app.expected.kinds.includes(kind) && (app.pattern === '' || pattern === app.pattern)
export const isPlace = ({ locations }: Finding, { expected: { at = '' } }: App): boolean => locations.some((place) => place.startsWith(at))

/** Two of its lines. */
export const areLines = (finding: Finding, { expected: { lines } }: App): boolean => {
  const words = sitesOf(finding).split(/[ ,/]+/)
  return lines.filter((line) => words.some((word) => word === line || word.startsWith(`${line}:`))).length >= 2
}

export const isMeant = (finding: Finding, app: App): boolean => isKind(finding, app) && isPlace(finding, app) && areLines(finding, app)
