/**
 * The run that everything starts from has to pass. A recorded run is slower than a plain one, so it may be the recording that let it fail: then another
 * one passes, most of the time. It is tried once more and not more often, for what the program does is real.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { HeddleError } from '../errors.ts'
import { withHooks, type Hooks } from '../process/hooks.ts'
import type { Program, Recording, RecordPlan } from '../frontends/contract.ts'

/** Runs of a program that is to be run `replays` times again, until one passes. */
export const mostRecordings = (replays: number): number => (replays === 0 ? 1 : 2)

interface Repeats {
  /** Runs in all. */
  readonly most?: number
  readonly mayRepeat?: () => boolean
  readonly hooks?: Hooks | undefined
}

export async function recordPassing(program: Program, plan: RecordPlan, repeats: Repeats = {}): Promise<Recording> {
  const { most = 2, mayRepeat = () => true, hooks = {} } = repeats
  let thrownAway: HeddleError | undefined
  for (let left = most; ; left--) {
    const recorded = await withHooks(hooks, plan.cwd, () => program.record(plan))
    if ('recording' in recorded) {
      const { recording } = recorded
      return thrownAway ? { ...recording, notes: [...recording.notes, `A first attempt was thrown away: ${thrownAway.fact}.`] } : recording
    }
    const { failed, mayPass, kept } = recorded
    if (plan.stop.aborted) throw failed
    if (left === 1 || !mayPass || !mayRepeat()) {
      const where = kept?.()
      throw where === undefined
        ? failed
        : new HeddleError(failed.code, failed.fact, `${failed.remedy}. What it did until then: heddle show ${where}`)
    }
    thrownAway ??= failed
    rmSync(join(plan.folder, 'threads'), { recursive: true, force: true })
  }
}
