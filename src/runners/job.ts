/** A request of a test process to the analysing process (a file in the folder of the test's run), and its answer (a message). */
import type { RunConfig } from '../runtime/js/protocol.ts'
import type { TestName } from '../schedule/schedule.ts'
import type { RunAgain } from './contract.ts'

export interface Job {
  readonly test: TestName
  readonly again: RunAgain
  /** The folder with trace.heddle and report.json. */
  readonly folder: string
  readonly milliseconds: number
  readonly clock: SuiteClock
  /** What it was recorded with. */
  readonly config: RunConfig
}

/** How long tests have taken in this process, in milliseconds. */
export interface SuiteClock {
  /** Since the process began, without the analyses. */
  readonly alone: number
  /** The analyses. */
  readonly analyses: number
  /** What the tests would have taken without Heddle, estimated low: without the start of the process. */
  readonly plain: number
  /** From the start of the process to the first test. */
  readonly toStart: number
}

export interface JobResult {
  /** The finding as the terminal shows it: the test fails with it. */
  readonly message?: string
  readonly replays: number
  /** Orders that were not replayed, since an earlier run of tests did so and nothing has changed. */
  readonly before?: number
  readonly findings: number
  /** Orders that the next run of tests goes on with. */
  readonly left?: number
  /** It was not analysed: the budget of the run was used up. */
  readonly cut?: boolean
  /** It was not analysed: it reaches no changed file. */
  readonly unreached?: boolean
  readonly notes: readonly string[]
  /** As in TestSummary. */
  readonly wrong?: readonly string[]
  /** Heddle could not do its work: a sentence. */
  readonly problem?: string
}

export const JOB = 'job.json'
