/** Is what a check says what is written beside the application (apps.ts)? */
import { sitesOf, type CheckJson } from '../node-bugs/run.ts'
import type { App } from './apps.ts'

type Finding = CheckJson['findings'][number]

/** By what protects the right version: the reason with which candidates at its row or key are refused, as coverage has it. */
const REASONS: readonly (readonly [protection: RegExp, reason: string])[] = [
  [/^(FOR UPDATE)$/, 'row lock'],
  [/^(serializable|repeatable read|WATCH)$/, 'snapshot'],
  [/^(advisory lock|SET NX)$/, 'lock'],
  [/^(atomic statement|compare-and-set|unique constraint|INCR|HINCRBY|Lua|MULTI|SET XX|one request)$/, 'one statement'],
]
export const reasonOf = ({ protection }: App): string | undefined => REASONS.find(([fits]) => fits.test(protection))?.[1]

/** Was something refused for what protects the right version? */
export const isRefused = (app: App, { coverage }: CheckJson): boolean =>
  coverage.some(({ infeasible }) => (infeasible[reasonOf(app)!] ?? 0) > 0)

export const isKind = ({ kind }: Finding, app: App): boolean => kind === app.kind
export const isPlace = ({ locations }: Finding, { location }: App): boolean => locations.some((place) => place.startsWith(location))

/** Two of its lines. */
export const areLines = (finding: Finding, { lines }: App): boolean => {
  const words = sitesOf(finding).split(/[ ,/]+/)
  return lines.filter((line) => words.some((word) => word === line || word.startsWith(`${line}:`))).length >= 2
}

export const isMeant = (finding: Finding, app: App): boolean => isKind(finding, app) && isPlace(finding, app) && areLines(finding, app)
