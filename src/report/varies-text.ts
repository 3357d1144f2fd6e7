/** What the program does without any delay, in words. Also part of the HTML report: nothing of Node here. */

/** Said with every result: what the program does by itself. Empty where every plain run ended as the recorded one did. */
export function variesText({ varies, plain, failed }: Varying): string {
  if (varies.length === 0) return ''
  const how = varies.join('; ')
  const what =
    plain.failed > 0
      ? `The program is flaky by itself. Without any delay it failed in ${plain.failed} of ${plain.runs} runs: ${how}.`
      : `The program itself varies. Run again without any delay, it ended differently: ${how}.`
  return failed > 0 ? what : `${what} So nothing is called FAILED.`
}

interface Varying {
  /** How plain runs that ended differently ended. */
  readonly varies: readonly string[]
  readonly plain: { readonly runs: number; readonly failed: number }
  /** Findings that are called FAILED. */
  readonly failed: number
}
