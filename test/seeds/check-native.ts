/** `heddle check` of a native program, from a test: nothing of the user's is read, and nothing is printed. */
import { check, type CheckOptions, type CheckResult } from '../../src/check.ts'
import { FRONT_ENDS } from '../../src/frontends/all.ts'

const never = new AbortController().signal

export const checked = (
  program: string,
  cwd: string,
  options: { readonly maxFindings: number; readonly replays: number; readonly confirm: number; readonly isolate?: CheckOptions['isolate'] },
): Promise<CheckResult> =>
  check([program], {
    frontEnds: FRONT_ENDS,
    cwd,
    timers: 'due',
    properties: [],
    asked: new Set(),
    history: false,
    include: [],
    exclude: [],
    detail: false,
    outputToError: true,
    quiet: true,
    limitMs: 300_000,
    timeMs: 600_000,
    picture: 0,
    stop: never,
    signal: never,
    onProgress: () => {},
    ...options,
  })

/** All findings, for a test that fails. */
export const told = ({ findings }: CheckResult): string =>
  findings
    .map(({ status, note, replays, prediction }) => `${status} ${prediction.summary} ${replays.failures}/${replays.runs} ${note ?? ''}`)
    .join('\n')
