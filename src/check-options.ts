/** What a check is told, and what it gives. */
import type { Finding } from './confirm/confirm.ts'
import type { Determinism } from './confirm/determinism.ts'
import type { RerunOptions } from './confirm/rerun.ts'
import type { FrontEnd, Recording, RecordPlan } from './frontends/contract.ts'
import type { Coverage } from './coverage.ts'
import type { Isolate } from './isolate/isolation.ts'
import type { OnProgress } from './progress.ts'
import type { Saved } from './schedule/saved.ts'
import type { Store } from './store/store.ts'

/** What the analysis of a recorded run needs to know. */
export interface AnalyseOptions extends RerunOptions {
  readonly timers: RecordPlan['timers']
  readonly branches?: RecordPlan['branches']
  /** Names of those that somebody asked for. What the recorded run shows of the others is a note: the program lives with it. */
  readonly asked: ReadonlySet<string>
  /** Leave out what earlier checks tried in vain. */
  readonly history: boolean
  /** Milliseconds for everything after the recorded run. */
  readonly timeMs: number
  /** For the recorded run and everything after it: see base/allowance.ts. */
  readonly budget?: string | undefined
  readonly replays: number
  readonly maxFindings: number
  readonly confirm: number
  /** Replays at the same time at most; left out, by the cores. */
  readonly atOnce?: number | undefined
  /** Say where runs with nothing held differ from the recorded one, also if they end alike. */
  readonly whyVaries?: boolean | undefined
  readonly onProgress: OnProgress
}

export interface CheckOptions
  extends AnalyseOptions, Pick<RecordPlan, 'include' | 'exclude' | 'detail' | 'outputToError' | 'quiet' | 'limitMs' | 'stop'> {
  /** The kinds of programs that are known: the first that recognises the command runs it. */
  readonly frontEnds: readonly FrontEnd[]
  /** What a replay has of its own; left out, files, where that can be done. */
  readonly isolate?: readonly Isolate[] | undefined
  /** The folder that `.heddle` goes to; left out, `cwd`. */
  readonly storeIn?: string
}

export interface CheckResult {
  readonly recording: Recording
  readonly store: Store
  readonly findings: readonly Finding<Saved>[]
  readonly coverage: Coverage
  readonly determinism: Determinism
  readonly replays: number
  /** Nothing but waiting was observed: what to look at instead. */
  readonly elsewhere?: string | undefined
  readonly notes: readonly string[]
  readonly seconds: number
  readonly interrupted: boolean
}
