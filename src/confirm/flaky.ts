/** A program that passed when it was recorded and fails without delays. That is a finding of its own. */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Recording } from '../frontends/contract.ts'
import type { Saved } from '../schedule/saved.ts'
import { plainSchedule } from '../schedule/schedule.ts'
import type { Finding } from './confirm.ts'
import type { Determinism } from './determinism.ts'
import type { OtherLine } from './other-line.ts'
import { MOST_LINES, type Failure } from './outcome.ts'

export const FLAKY = 'flaky'

/**
 * Undefined where every plain run ended well. Where every one failed it may be what a replay is like: FAILED only if one run without Heddle failed as well (determinism.ts), and both
 * started from the files of before (`startsOver`). Where there was no such run, as of tests, it is no finding: a test that needs what another one did fails whenever it is run by itself.
 */
export function flakyOf(
  determinism: Determinism,
  recording: Pick<Recording, 'command' | 'timers'>,
  startsOver: boolean,
): Finding<Saved> | undefined {
  const { failed, runs, wentApart, otherLine, alone } = determinism
  const always = failed === runs
  if (determinism.failure === undefined || (always && alone === undefined)) return undefined
  const failure = withOtherLine(determinism.failure, otherLine)
  const reruns = `${failed} of ${runs} ${runs === 1 ? 'rerun' : 'reruns'}`
  return {
    prediction: {
      fingerprint: fingerprintOf([FLAKY, failure.shape]),
      kind: FLAKY,
      pattern: FLAKY,
      summary: always
        ? `The recorded run passed, and the program failed in ${reruns} without any delay.`
        : `The program failed in ${reruns} without any delay.`,
      sites: siteIn(failure.detail),
      locations: [],
      observed: [],
      failing: [],
      why: [],
      count: 1,
      schedule: plainSchedule(recording),
    },
    earlier: false,
    status: always && (alone === '' || !startsOver) ? 'REPRODUCED' : 'FAILED',
    replays: { runs, failures: failed },
    failure,
    violation: undefined,
    ordered: true,
    note:
      [always ? aloneNote(alone!, startsOver) : undefined, differenceText(wentApart), lineText(otherLine)]
        .filter((text) => text !== undefined)
        .join(' ') || undefined,
  }
}

function aloneNote(alone: string, startsOver: boolean): string {
  if (alone === '') return 'Run once without Heddle it passed: the replays may be at fault, so it is not called FAILED.'
  const said = `Run once without Heddle it failed as well: ${alone}.`
  return startsOver ? said : `${said} Both had the files as the recorded run left them, so it is not called FAILED.`
}

const differenceText = ([first]: readonly string[]): string | undefined =>
  first === undefined ? undefined : `The first difference to the recorded run: ${first}`

const lineText = (other: OtherLine | undefined): string | undefined =>
  other &&
  `The first line of output that differs: "${other.failed}"${other.passed === '' ? '' : `, where a rerun that passed has "${other.passed}"`}.`

/** An exit code says nothing, and the last lines of a suite are its sums: what was printed differently says more. */
export function withOtherLine(failure: Failure, other: OtherLine | undefined): Failure {
  return failure.how !== 'exit code' || other === undefined ? failure : { ...failure, detail: other.after.slice(0, MOST_LINES) }
}

/** The first place that is the program's: not Node's, and if there is one, not a package's. */
function siteIn(lines: readonly string[]): string[] {
  const sites = lines.flatMap(
    (line) => /(?:^|[\s('"])((?:file:\/\/)?[^()\s'"]+:\d+:\d+)[)'"]?$/.exec(line)?.[1]?.replace(/^file:\/\//, '') ?? [],
  )
  const own = sites.filter((site) => !site.startsWith('node:'))
  return [own.find((site) => !site.includes('/node_modules/')) ?? own[0] ?? []].flat()
}

/** Why plain runs differ from the recorded one, for the notes: where they ended differently, or where somebody asks. */
export function whyItVaries({ runs, failed, differed, wentApart, alone }: Determinism, asked: boolean): string[] {
  if (!asked)
    return (failed === 0 || (failed === runs && alone === undefined)) && differed.length > 0 ? [differenceText(wentApart) ?? []].flat() : []
  if (runs === 0) return ['The program was not run without delays: there was nothing to compare.']
  if (wentApart.length > 0) return wentApart.map((where) => `Without delays a run differs from the recorded one: ${where}`)
  return [`Without delays every turn came as recorded, in ${runs === 1 ? 'one run' : `all ${runs} runs`}.`]
}
