/**
 * A recorded run that failed is itself a finding. Its order is replayed, to see how often it fails. If its threads switched too often for a schedule,
 * and for event loops, the program is run without delays.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Ended } from '../frontends/contract.ts'
import { scheduleAsRecorded } from '../predict/threads/as-recorded.ts'
import type { Saved } from '../schedule/saved.ts'
import { plainSchedule, type Schedule } from '../schedule/schedule.ts'
import type { Teller } from '../progress.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Confirmed } from './all.ts'
import type { Budget } from './budget.ts'
import type { Finding } from './confirm.ts'
import { PlainRuns } from './determinism.ts'
import { failureOf, outcomeOf, type Failure } from './outcome.ts'
import { replay, type Rerun } from './run.ts'

export const AS_RECORDED = 'recorded'

export async function confirmRecorded(
  ended: Ended,
  rerun: Rerun,
  budget: Budget,
  shown: readonly SeenViolation[],
  teller: Teller,
): Promise<Confirmed> {
  teller.say('replaying', 'replaying the order of the recorded run')
  const failure = failureOf({ ...ended, violations: ended.seen, flips: [] }, { ...rerun.recording, stopped: false })
  const findings = failure ? [await judge(failure, rerun, budget)] : []
  return { determinism: new PlainRuns(rerun, shown), findings }
}

async function judge(failure: Failure, rerun: Rerun, budget: Budget): Promise<Finding<Saved>> {
  const { recording, run } = rerun
  const plain = plainSchedule(recording)
  const ordered = run?.threads && scheduleAsRecorded(run.threads, recording)
  let best: Tried = { schedule: plain, runs: 0, failures: 0 }
  for (const schedule of ordered && ordered.steps.length > 0 ? [ordered, plain] : [plain]) {
    const tried = await tryOut(schedule, failure, rerun, budget)
    if (tried.failures > best.failures || best.runs === 0) best = tried
    if (best.failures > 0) break
  }
  return findingOf(failure, best)
}

interface Tried {
  readonly schedule: Schedule
  readonly runs: number
  readonly failures: number
}

async function tryOut(schedule: Schedule, { how }: Failure, rerun: Rerun, budget: Budget): Promise<Tried> {
  let runs = 0
  let failures = 0
  while (runs < budget.confirm && budget.replaysLeft > 0 && performance.now() < budget.deadline && !rerun.signal?.aborted) {
    budget.replaysLeft--
    const run = await replay(rerun, schedule)
    if (run.stopped === 'interrupted') break
    runs++
    const outcome = outcomeOf(run, schedule, { ...rerun.recording, stopped: false })
    // What it prints is not known of the recorded run, so that messages cannot be compared.
    if (outcome.result === 'failed' && outcome.failure.how === how) failures++
    else if (failures === 0) break
  }
  return { schedule, runs, failures }
}

const NOT_AGAIN = 'Replays did not show it again: it needs more than the order of its threads.'

/** A program may say something with its exit code that is no failure. */
function goodEnd({ how, message }: Failure): string[] {
  const code = how === 'exit code' ? /\d+/.exec(message)?.[0] : undefined
  return code === undefined ? [] : [`If it ends with exit code ${code} when all is well: --expect-exit ${code}.`]
}

function findingOf(failure: Failure, { schedule, runs, failures }: Tried): Finding<Saved> {
  const sites = failure.detail.flatMap((line) => /^at (\S+:\d+)/.exec(line)?.[1] ?? [])
  return {
    prediction: {
      fingerprint: fingerprintOf([AS_RECORDED, failure.shape, ...sites.slice(0, 1)]),
      kind: AS_RECORDED,
      pattern: 'recorded run',
      summary: 'The recorded run itself failed: no other order is needed.',
      sites: sites.slice(0, 1),
      locations: [],
      observed: [],
      failing: [],
      why: [],
      count: 1,
      schedule,
    },
    earlier: false,
    status: 'FAILED',
    // The recorded run is one of them where no replay shows it.
    replays: failures > 0 ? { runs, failures } : { runs: runs + 1, failures: 1 },
    failure,
    violation: undefined,
    ordered: true,
    note: [...(failures > 0 || runs === 0 ? [] : [NOT_AGAIN]), ...goodEnd(failure)].join(' ') || undefined,
  }
}
