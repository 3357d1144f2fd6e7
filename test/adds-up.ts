/** What a predictor counted, all rows together; and that it adds up, which every test that looks at counts checks on the way. */
import { assertAddsUp, CoverageRow, sumOf, type Coverage, type SavedRow } from '../src/coverage.ts'

export interface Totals {
  readonly candidates: number
  readonly feasible: number
  readonly infeasible: number
  readonly unknown: number
  readonly grouped: number
  readonly notLookedAt: number
}

export function totalsOf(coverage: Pick<Coverage, 'saved'> | CoverageRow | readonly SavedRow[]): Totals {
  const rows = Array.isArray(coverage) ? (coverage as readonly SavedRow[]) : [(coverage as Coverage | CoverageRow).saved()].flat()
  for (const row of rows) assertAddsUp(row)
  const sum = (of: (row: SavedRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  return {
    candidates: sum((row) => row.candidates),
    feasible: sum((row) => sumOf(row.feasible)),
    infeasible: sum((row) => sumOf(row.infeasible)),
    unknown: sum((row) => sumOf(row.unknown)),
    grouped: sum((row) => row.grouped),
    notLookedAt: sum((row) => sumOf(row.notLookedAt)),
  }
}
