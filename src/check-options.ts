/** The options and the result of a check. */
import type { Finding } from './confirm/confirm.ts'
import type { Determinism } from './confirm/determinism.ts'
import type { Pace } from './confirm/pace.ts'
import type { OrdersLeft } from './confirm/replayed.ts'
import type { RerunOptions } from './confirm/rerun.ts'
import type { Ended, FrontEnd, Recording, RecordPlan } from './frontends/contract.ts'
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
  /** Orders of tests that an earlier run replayed without a failure are left out, if it was by this version of Heddle and the code is the same. */
  readonly leaveOut?: string | undefined
  /** Of the suite that this is a test of. */
  readonly pace?: Pace | undefined
  /** Milliseconds for everything after the recorded run. */
  readonly timeMs: number
  /** Somebody asked for that time. Otherwise a run of tests is looked at for a multiple of what it takes. */
  readonly isTimeSaid?: boolean | undefined
  /** For the recorded run and everything after it: see base/allowance.ts. */
  readonly budget?: string | undefined
  readonly replays: number
  readonly maxFindings: number
  readonly confirm: number
  /** Milliseconds that a failure may need; left out, see cause/too-long.ts. */
  readonly maxDelay?: number | undefined
  /** Replays at the same time at most; left out, by the cores. */
  readonly atOnce?: number | undefined
  /** Departures from the recorded run at most: 1, predictions are made from the recorded run alone. Left out, as many as the replays that are left allow, where nothing failed. */
  readonly depth?: number | undefined
  /** Until every class of schedules was run. */
  readonly exhaustive?: boolean | undefined
  /** Say where plain runs differ from the recorded one, also if they end alike. */
  readonly whyVaries?: boolean | undefined
  readonly onProgress: OnProgress
  /** How the recorded run ended, where it failed. */
  readonly ended?: Ended | undefined
}

export interface CheckOptions
  extends AnalyseOptions, Pick<RecordPlan, 'include' | 'exclude' | 'only' | 'detail' | 'outputToError' | 'quiet' | 'limitMs' | 'stop'> {
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
  /** Orders that were not replayed, since an earlier run did so. */
  readonly leftOut: number
  /** Orders that are left for the next run of these tests. */
  readonly left?: OrdersLeft | undefined
  /** Processes that were not observed did some of the work: says so, and what to look at instead. */
  readonly elsewhere?: string | undefined
  /** Nothing but waiting for them was observed. */
  readonly nothingObserved?: boolean
  /** Recorded events of each source file. */
  readonly byFile?: Readonly<Record<string, number>>
  readonly notes: readonly string[]
  readonly seconds: number
  readonly interrupted: boolean
}
