/**
 * The result of a check as one value: what `heddle check --json` prints, what `.heddle/findings.json` holds, and what every report is made from
 * (docs/finding.schema.json). Everything here is plain JSON; strings from programs are as they were, and every report has to escape them.
 */
import type { CheckResult } from '../check.ts'
import { branchCoverage } from './branch-text.ts'
import { findingJson } from './finding-json.ts'
import { coverageLine } from './finding-text.ts'
import { excerptsOf, sitesOf, type SourceExcerpt } from './source-excerpts.ts'

export type { SourceExcerpt } from './source-excerpts.ts'

/** Bumped when a field changes its meaning or goes. */
export const DOCUMENT_SCHEMA = 2

export interface CheckDocument {
  /** The version of Heddle. */
  readonly heddle: string
  readonly schema: typeof DOCUMENT_SCHEMA
  readonly complete: boolean
  readonly command: readonly string[]
  /** The directory Heddle was started in: sites are relative to it. */
  readonly root: string
  /** When the check began, ISO 8601. */
  readonly started: string
  readonly findings: readonly FindingDocument[]
  readonly recorded: {
    readonly trace: string
    /** What ran it: `node v20.20.2`; empty where that has no name. */
    readonly runtime: string
    readonly milliseconds: number
    readonly stopped: boolean
    readonly events: number
    readonly modules: number
    readonly skipped: readonly { readonly file: string; readonly why: string }[]
    readonly timers: string
  }
  readonly coverage: Readonly<Record<string, unknown>>
  /** What the check was allowed: seconds, replays, findings, confirming replays. */
  readonly budgets: { readonly time: number; readonly replays: number; readonly maxFindings: number; readonly confirm: number }
  readonly varies: readonly string[]
  readonly notes: readonly string[]
  readonly seconds: number
  /** Excerpts of the files that sites of findings name, by file. */
  readonly sources: Readonly<Record<string, readonly SourceExcerpt[]>>
  /** Coverage in one sentence, as the terminal has it. */
  readonly lookedAt: string
}

export type FindingDocument = ReturnType<typeof findingJson>

export type ForDocument = Pick<
  CheckResult,
  | 'recording'
  | 'findings'
  | 'coverage'
  | 'properties'
  | 'threads'
  | 'branches'
  | 'determinism'
  | 'replays'
  | 'notes'
  | 'seconds'
  | 'interrupted'
>

export interface Circumstances {
  /** The version of Heddle. */
  readonly version: string
  readonly root: string
  readonly started: Date
  readonly budgets: CheckDocument['budgets']
}

export function documentOf(result: ForDocument, { version, root, started, budgets }: Circumstances): CheckDocument {
  const { recording, coverage, threads, properties, branches, replays, interrupted, determinism, notes, seconds } = result
  const { observed } = recording
  const findings = result.findings.map(findingJson)
  return {
    heddle: version,
    schema: DOCUMENT_SCHEMA,
    complete: !interrupted,
    command: recording.command,
    root,
    started: started.toISOString(),
    findings,
    recorded: {
      trace: recording.trace,
      runtime: observed.runtime,
      milliseconds: recording.ms,
      stopped: recording.stopped,
      events: observed.events,
      modules: observed.modules.length,
      skipped: observed.skipped,
      timers: recording.timers,
    },
    coverage: {
      ...coverage,
      ...(threads ? { threads } : {}),
      ...(properties ? { properties } : {}),
      ...(branches ? { branches } : {}),
      replays,
      notReplayed: findings.filter((f) => f.status === 'PREDICTED').length,
    },
    budgets,
    varies: determinism.differed,
    notes,
    seconds: Math.round(seconds * 1000) / 1000,
    sources: excerptsOf(
      findings.flatMap((finding) => [...sitesOf(finding)]),
      root,
    ),
    lookedAt: `${coverageLine(result)}${branches ? ` ${branchCoverage(branches)}` : ''}`,
  }
}
