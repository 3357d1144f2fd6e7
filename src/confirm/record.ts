/**
 * The first run has to pass. A recorded run is slower than a plain one, so the recording itself may make it fail; then another one mostly passes. It
 * is recorded once more, patiently: if the front end supports it, time passes only while the program waits, so that no timer overtakes work that a
 * slow machine has not finished. On a busy machine it is recorded twice more; not more often, because the program has real effects.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMachineBusy } from '../base/busy.ts'
import { HeddleError } from '../errors.ts'
import { withHooks, type Hooks } from '../process/hooks.ts'
import type { Start } from '../process/recorded.ts'
import type { FailedRecording, Program, Recording, RecordPlan } from '../frontends/contract.ts'

/** Runs of a program that is to be run `replays` times again, until one passes. */
export const mostRecordings = (replays: number): number => (replays === 0 ? 1 : 3)

/** Does more want to run than can? */

interface Repeats {
  /** Runs in all. */
  readonly most?: number
  /** What the next attempt is run in so that it starts as the first one did; undefined where it cannot. */
  readonly again?: (nth: number) => ((start: Start) => Start) | undefined
  readonly hooks?: Hooks | undefined
  /** Is one that fails of use? */
  readonly failing?: boolean
  /** Is the machine busy, so that a third one may pass? */
  readonly isBusy?: () => boolean
}

/** Throws where none passes. */
export async function recordPassing(program: Program, plan: RecordPlan, repeats: Repeats = {}): Promise<Recording> {
  const recorded = await recordRun(program, plan, repeats)
  if ('failed' in recorded) throw recorded.failed
  return recorded.recording
}

/** A run that passes; where none did, why, and the last one if its failure can be told. */
export type RecordedRun =
  | { readonly recording: Recording }
  | { readonly failed: HeddleError; readonly run?: FailedRecording | undefined; readonly mayPass: boolean }

export async function recordRun(program: Program, plan: RecordPlan, repeats: Repeats = {}): Promise<RecordedRun> {
  const { most = 3, again = () => plan.within ?? ((start) => start), hooks = {}, isBusy = isMachineBusy, failing = false } = repeats
  const thrownAway: HeddleError[] = []
  let attempt = plan
  for (let left = most; ; left--) {
    const recorded = await withHooks(hooks, plan.cwd, () => program.record(attempt))
    if ('recording' in recorded) {
      const { recording } = recorded
      const [first] = thrownAway
      if (first === undefined) return { recording }
      const attempts = thrownAway.length === 1 ? 'A first attempt was' : 'Two attempts were'
      return { recording: { ...recording, notes: [...recording.notes, `${attempts} thrown away: ${first.fact}.`] } }
    }
    const { failed, mayPass, crashed = false, kept, asFailed } = recorded
    if (plan.stop.aborted) return { failed, mayPass: false }
    const isLast = left === 1 || (crashed && failing) || (thrownAway.length > 0 && !isBusy())
    const within = isLast || !mayPass ? undefined : again(thrownAway.length + 2)
    if (!within) {
      const run = failing ? asFailed?.() : undefined
      const where = run ? undefined : kept?.()
      if (where === undefined) return { failed, run, mayPass }
      const remedy = `${failed.remedy}. What it did until then: heddle show ${where}`
      return { failed: new HeddleError(failed.code, failed.fact, remedy), mayPass }
    }
    thrownAway.push(failed)
    attempt = { ...plan, within, patient: true }
    rmSync(join(plan.folder, 'threads'), { recursive: true, force: true })
  }
}
