/**
 * The run that everything starts from has to pass. A recorded run is slower than a plain one, so it may be the recording that let it fail: then another
 * one passes, most of the time. What fails at once is tried a few times, what takes longer only once more.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { HeddleError } from '../errors.ts'
import type { Program, Recording, RecordPlan } from '../frontends/contract.ts'

const MOST_ATTEMPTS = 4
const LONG_RUN_MS = 5000

export async function recordPassing(program: Program, plan: RecordPlan): Promise<Recording> {
  let thrownAway: HeddleError | undefined
  for (let left = MOST_ATTEMPTS; ; left--) {
    const start = performance.now()
    const recorded = await program.record(plan)
    if ('recording' in recorded) {
      const { recording } = recorded
      return thrownAway ? { ...recording, notes: [...recording.notes, `A first attempt was thrown away: ${thrownAway.fact}.`] } : recording
    }
    const { failed, mayPass, kept } = recorded
    const long = performance.now() - start > LONG_RUN_MS
    if (plan.stop.aborted) throw failed
    if (left === 1 || (long && thrownAway) || !mayPass) {
      const where = kept?.()
      throw where === undefined
        ? failed
        : new HeddleError(failed.code, failed.fact, `${failed.remedy}. What it did until then: heddle show ${where}`)
    }
    thrownAway ??= failed
    rmSync(join(plan.folder, 'threads'), { recursive: true, force: true })
  }
}
