/**
 * The result of a check as one value: what `heddle check --json` prints, what `.heddle/findings.json` holds, and what every report is made from
 * (docs/finding.schema.json). Everything here is plain JSON; strings from programs are as they were, and every report has to escape them.
 */
import type { Cause } from '../confirm/cause.ts'
import type { CheckResult } from '../check.ts'
import type { BranchClass, Finding } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { Picture } from '../picture/picture.ts'
import type { SavedCoverage } from '../coverage.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { BranchNote, OrderRow } from '../schedule/order.ts'
import type { SavedProperty } from '../schedule/saved.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { mapOf, type MapPart } from './coverage-map.ts'
import { lookedAtText } from './coverage-text.ts'
import { findingJson } from './finding-json.ts'
import type { Since } from './since-text.ts'
import { excerptsOf, sitesOf, type SourceExcerpt } from './source-excerpts.ts'

export type { SourceExcerpt } from './source-excerpts.ts'

/** Bumped when a field changes its meaning or goes. */
export const DOCUMENT_SCHEMA = 3

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
    /** How much of the text of all modules is in those, where that is known. */
    readonly skippedPercent?: number
    /** The same by package and folder, with their events. Not of a trace alone, nor of several tests. */
    readonly map?: readonly MapPart[]
    /** Not of a trace alone. */
    readonly timers?: string
  }
  /** Of `heddle predict`: the trace that was looked at, and how. */
  readonly trace?: TraceDocument
  /** What each predictor was asked, and how it was settled. */
  readonly coverage: SavedCoverage
  /** How often the program was run again, plain runs included; predictions for which there was no time or no replay left. */
  readonly replays: number
  readonly notReplayed: number
  /** What the check was allowed: seconds, replays, findings, confirming replays. Not of a trace alone. */
  readonly budgets?: { readonly time: number; readonly replays: number; readonly maxFindings: number; readonly confirm: number }
  /** Runs without any delay, and how many of them failed. `alone`: where all did, how one run without Heddle ended; empty if it passed. */
  readonly plain: { readonly runs: number; readonly failed: number; readonly apart?: number; readonly alone?: string }
  /** How those ended that did not end as the recorded run. */
  readonly varies: readonly string[]
  readonly notes: readonly string[]
  readonly seconds: number
  /** Excerpts of the files that sites of findings name, by file. */
  readonly sources: Readonly<Record<string, readonly SourceExcerpt[]>>
  /** Coverage in one sentence, as the terminal has it. */
  readonly lookedAt: string
  /** The last check of the same command in this folder, where there was one. */
  readonly since?: Since
}

export interface TraceDocument {
  readonly source: string
  readonly events: number
  readonly tasks: number
  readonly order: string
  readonly truncated?: string
  readonly model: string
  readonly decider: string
}

export interface FindingDocument extends OtherDocument, Partial<OfTrace> {
  readonly status: Finding<never>['status']
  readonly property?: Partial<SavedProperty> &
    Pick<SavedProperty, 'name' | 'binding'> & {
      /** Of a trace: what each event is called in the property, and what goes wrong. */
      readonly names?: readonly string[]
      readonly says?: string
    }
  readonly test?: { readonly file: string; readonly name: string }
  readonly replays: Finding<never>['replays']
  readonly failure?: Failure
  readonly ordered?: boolean
  readonly violation?: SeenViolation
  readonly note?: string
  /** How the cause was put to the test, and what the failure needs. */
  readonly proof?: Pick<Cause, 'asRecorded' | 'alone' | 'shrunk' | 'other'> & {
    readonly is: Cause['proof']
    readonly needs?: string
    readonly ms?: number
  }
  readonly earlier: boolean
  /** Was it a finding of the last check, too? Left out where there was none. */
  readonly since?: 'new' | 'known'
  readonly count: number
  /** Other orders that fail in the same way. */
  readonly also?: readonly OtherDocument[]
  /** Of a trace alone there is none: there is no program to run. */
  readonly schedule?: Schedule
  readonly observed: readonly OrderRow[]
  readonly failing: readonly OrderRow[]
  readonly why: readonly string[]
  readonly picture?: Picture
}

/** As much as is said of a finding that another one stands for. */
export interface OtherDocument {
  readonly fingerprint: string
  readonly kind: string
  /** The identifier of the predictor, and the name for people (labels.ts). */
  readonly pattern: string
  readonly label: string
  readonly summary: string
  readonly sites: readonly string[]
  readonly locations: readonly string[]
  readonly branch?: BranchNote & Partial<BranchClass>
}

/** What a prediction from a trace alone has besides (trace-finding.ts). Events are given by their position in the trace. */
export interface OfTrace {
  readonly cause: string
  readonly region: string
  readonly events: readonly number[]
  /** Parallel to `events`, as `sites` is. */
  readonly tasks: readonly string[]
  readonly ops: readonly string[]
  readonly location: string
  readonly signal: string
  readonly locks: readonly string[]
  readonly held: readonly (readonly string[])[]
  readonly candidates: number
  readonly stage: string
  readonly witness: {
    /** How many events of each task run. */
    readonly tasks: readonly (readonly [string, number])[]
    /** Of the first so many recorded events, those that run come first, as recorded; then what moved: a task, and how many of its events. */
    readonly kept: number
    readonly moved: readonly (readonly [string, number])[]
    readonly order?: readonly number[]
    readonly next: readonly number[]
  }
  readonly interval: object
}

export type ForDocument = Pick<
  CheckResult,
  'recording' | 'findings' | 'coverage' | 'determinism' | 'replays' | 'notes' | 'seconds' | 'interrupted' | 'byFile'
>

export interface Circumstances {
  /** The version of Heddle. */
  readonly version: string
  readonly root: string
  readonly started: Date
  readonly budgets: NonNullable<CheckDocument['budgets']>
}

export function documentOf(result: ForDocument, { version, root, started, budgets }: Circumstances): CheckDocument {
  const { recording, replays, interrupted, determinism, notes, seconds, byFile = {} } = result
  const { observed } = recording
  const findings = result.findings.map(findingJson)
  const recorded = {
    trace: recording.trace,
    runtime: observed.runtime,
    milliseconds: recording.ms,
    stopped: recording.stopped,
    events: observed.events,
    modules: observed.modules.length,
    skipped: observed.skipped,
    ...(observed.skippedPercent === undefined ? {} : { skippedPercent: observed.skippedPercent }),
    ...(observed.modules.length + observed.skipped.length + Object.keys(byFile).length === 0
      ? {}
      : { map: mapOf(observed.modules, observed.skipped, byFile) }),
    timers: recording.timers,
  }
  const coverage = result.coverage.saved()
  const notReplayed = findings.filter((f) => f.status === 'PREDICTED').length
  return {
    heddle: version,
    schema: DOCUMENT_SCHEMA,
    complete: !interrupted,
    command: recording.command,
    root,
    started: started.toISOString(),
    findings,
    recorded,
    coverage,
    replays,
    notReplayed,
    budgets,
    plain: {
      runs: determinism.runs,
      failed: determinism.failed,
      apart: determinism.apart,
      ...(determinism.alone === undefined ? {} : { alone: determinism.alone }),
    },
    varies: determinism.differed,
    notes,
    seconds: Math.round(seconds * 1000) / 1000,
    sources: excerptsOf(
      findings.flatMap((finding) => [...sitesOf(finding)]),
      root,
    ),
    lookedAt: lookedAtText({ coverage, recorded, replays, plain: determinism.runs, notReplayed }),
  }
}
