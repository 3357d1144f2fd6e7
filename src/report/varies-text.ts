/** How the program varies without any delay, in words. Also part of the HTML report, so it uses nothing of Node. */

/** Said with every result: what the program does by itself. Empty where every plain run ended as the recorded one did. */
export function variesText({ varies, plain, failed }: Varying): string {
  if (varies.length === 0) return ''
  const how = varies.join('; ')
  const what =
    plain.alone !== undefined
      ? aloneText(plain, plain.alone, how)
      : plain.failed > 0
        ? `The program is flaky. Without any delay it failed in ${plain.failed} of ${plain.runs} runs: ${how}.`
        : `The program itself varies. Run again without any delay, it ended differently: ${how}.`
  return failed > 0 ? what : `${what} So nothing is called FAILED.`
}

/** The recorded run passed, and every run without any delay failed. */
function aloneText({ runs, failed }: Varying['plain'], alone: string, how: string): string {
  const seen = `The recorded run passed, and without any delay it failed in ${failed} of ${runs} runs: ${how}.`
  return alone === ''
    ? `Replays of this program cannot be relied on. ${seen} Run once more without Heddle, it passed.`
    : `The program does not pass every time. ${seen} Run once more without Heddle, it failed as well: ${alone}. It is flaky, or it depends on something outside that replays do not reset.`
}

interface Varying {
  /** How plain runs that ended differently ended. */
  readonly varies: readonly string[]
  readonly plain: { readonly runs: number; readonly failed: number; readonly alone?: string | undefined }
  /** Findings that are called FAILED. */
  readonly failed: number
}
