/** Runs the program again: without delays first, to see whether it varies by itself, then under every schedule. */
import type { SeenViolation } from '../property/seen.ts'
import type { Teller } from '../progress.ts'
import type { Saved } from '../schedule/saved.ts'
import { withBranches } from './branch-findings.ts'
import type { Candidates } from './candidates.ts'
import type { Budget } from './budget.ts'
import { confirm, type Finding } from './confirm.ts'
import { PLAIN_FIRST, PLAIN_TO_JUDGE, PlainRuns } from './determinism.ts'
import { flakyOf } from './flaky.ts'
import { onePerFingerprint } from './kept.ts'
import type { Rerun } from './run.ts'

/** Where somebody asks why it varies. */
const TO_SEE_IT_VARY = 10

export interface Confirmed {
  readonly determinism: PlainRuns
  readonly findings: readonly Finding<Saved>[]
}

/** `shown`: what the recorded run violates. `always`: run it without delays even if there is nothing to compare with. */
export async function confirmAll(
  candidates: Candidates,
  rerun: Rerun,
  budget: Budget,
  shown: readonly SeenViolation[],
  teller: Teller,
  always = false,
): Promise<Confirmed> {
  if (!candidates.some() && !always) return { determinism: new PlainRuns(rerun, shown), findings: [] }
  teller.say('replaying', budget.pace ? 'replaying' : 'replaying without delays')
  // What branches do is told from what several runs print. Where there is little time, these runs wait until something fails.
  const first = always ? TO_SEE_IT_VARY : rerun.paths ? PLAIN_TO_JUDGE : PLAIN_FIRST
  const determinism = new PlainRuns(rerun, shown)
  // Without time nothing is replayed, so there is nothing to compare.
  if (!(budget.pace && !always) && performance.now() < budget.deadline) {
    await determinism.settle(first, budget)
    await determinism.decide(budget)
  }
  const all = onePerFingerprint(await confirm(candidates, rerun, budget, determinism, ({ status }) => teller.judged(status)))
  const flaky = flakyOf(determinism, rerun.recording, rerun.isolation?.startsOver ?? false)
  return { determinism, findings: [...(flaky ? [flaky] : []), ...(rerun.paths ? withBranches(all, determinism) : all)] }
}

/** The candidates that are left, with what is left of the replays. */
export async function confirmRest(
  { determinism, findings }: Confirmed,
  candidates: Candidates,
  rerun: Rerun,
  budget: Budget,
  teller: Teller,
): Promise<Confirmed> {
  candidates.pauseWhen(undefined)
  const more = await confirm(candidates, rerun, budget, determinism, ({ status }) => teller.judged(status))
  return { determinism, findings: onePerFingerprint([...findings, ...more]) }
}
