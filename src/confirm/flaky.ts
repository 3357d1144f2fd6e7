/** A program that passed when it was recorded and fails with nothing held: that by itself is a finding. */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Recording } from '../frontends/contract.ts'
import type { Saved } from '../schedule/saved.ts'
import { plainSchedule } from '../schedule/schedule.ts'
import type { Finding } from './confirm.ts'
import type { Determinism } from './determinism.ts'

export const FLAKY = 'flaky'

/**
 * Undefined where every run with nothing held ended well, and also where none did: then it may be something that the recorded run left behind, or what a replay is
 * like, and nobody can tell.
 */
export function flakyOf(determinism: Determinism, recording: Pick<Recording, 'command' | 'timers'>): Finding<Saved> | undefined {
  const { failure, failed, runs, wentApart } = determinism
  if (failure === undefined || failed === runs) return undefined
  const sites = failure.detail.flatMap((line) => /\(?([^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1]?.replace(/^file:\/\//, '') ?? [])
  return {
    prediction: {
      fingerprint: fingerprintOf([FLAKY, failure.shape]),
      kind: FLAKY,
      pattern: FLAKY,
      summary: `The program failed by itself in ${failed} of ${runs} ${runs === 1 ? 'rerun' : 'reruns'}, with nothing held.`,
      sites: sites.slice(0, 1),
      locations: [],
      observed: [],
      failing: [],
      why: [],
      count: 1,
      schedule: plainSchedule(recording),
    },
    earlier: false,
    status: 'FAILED',
    replays: { runs, failures: failed },
    failure,
    violation: undefined,
    ordered: true,
    note: differenceText(wentApart),
  }
}

const differenceText = ([first]: readonly string[]): string | undefined =>
  first === undefined ? undefined : `The first difference to the recorded run: ${first}`

/** Why runs with nothing held differ from the recorded one, for the notes: where they ended differently, or where somebody asks. */
export function whyItVaries({ runs, failed, differed, wentApart }: Determinism, asked: boolean): string[] {
  if (!asked) return (failed === 0 || failed === runs) && differed.length > 0 ? [differenceText(wentApart) ?? []].flat() : []
  if (runs === 0) return ['The program was not run with nothing held: there was nothing to compare.']
  if (wentApart.length > 0) return wentApart.map((where) => `With nothing held a run differs from the recorded one: ${where}`)
  return [`With nothing held every turn of the recorded run came in its place, in ${runs === 1 ? 'one run' : `all ${runs} runs`}.`]
}
