/** Sums and differences of summaries: a process may run several files, and a run has several processes. */
import { readJson } from '../base/json-file.ts'
import { count, Fault, fields, list, take, text } from '../base/schema.ts'
import { TEXTS } from '../schedule/shapes.ts'
import type { TestSummary } from './contract.ts'

export const NOTHING: TestSummary = {
  analysed: 0,
  replayed: 0,
  before: 0,
  off: 0,
  cut: 0,
  left: 0,
  unreached: 0,
  notRecorded: [],
  findings: 0,
  notes: [],
  wrong: [],
}

export function addSummaries(all: readonly TestSummary[]): TestSummary {
  const sum = (of: (one: TestSummary) => number): number => all.reduce((so, one) => so + of(one), 0)
  return {
    analysed: sum((one) => one.analysed),
    replayed: sum((one) => one.replayed),
    before: sum((one) => one.before),
    off: sum((one) => one.off),
    cut: sum((one) => one.cut),
    left: sum((one) => one.left),
    unreached: sum((one) => one.unreached),
    findings: sum((one) => one.findings),
    notRecorded: all.flatMap((one) => one.notRecorded),
    notes: [...new Set(all.flatMap((one) => one.notes))],
    wrong: [...new Set(all.flatMap((one) => one.wrong))],
  }
}

/** What came after `before` in the same process. */
export function lessSummary(now: TestSummary, before: TestSummary): TestSummary {
  return {
    analysed: now.analysed - before.analysed,
    replayed: now.replayed - before.replayed,
    before: now.before - before.before,
    off: now.off - before.off,
    cut: now.cut - before.cut,
    left: now.left - before.left,
    unreached: now.unreached - before.unreached,
    findings: now.findings - before.findings,
    notRecorded: now.notRecorded.slice(before.notRecorded.length),
    notes: now.notes.slice(before.notes.length),
    wrong: now.wrong.slice(before.wrong.length),
  }
}

export const SUMMARY = fields({
  analysed: count,
  replayed: count,
  before: count,
  off: count,
  cut: count,
  left: count,
  unreached: count,
  notRecorded: list(fields({ test: text(), why: text() })),
  findings: count,
  notes: TEXTS,
  wrong: TEXTS,
})

/** What a test process left. A process that was killed has left nothing, or half of it. */
export function readSummary(path: string): TestSummary[] {
  const summary = take<TestSummary>(readJson(path), SUMMARY)
  return summary instanceof Fault ? [] : [summary]
}
