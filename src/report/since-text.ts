/** What is new, known or fixed since the last check, in a sentence. Also part of the HTML report, so it uses nothing of Node. */

/** A failure of the last check that this one did not show. */
export interface Fixed {
  readonly fingerprint: string
  readonly label: string
  readonly sentence: string
}

export interface Since {
  /** When the last check began, ISO 8601. */
  readonly started: string
  readonly fixed: readonly Fixed[]
}

/** `Since the last check: 1 new failure, 2 known, 1 no longer fails.` Empty where there was none, or nothing failed in either. */
export function sinceText(last: Since | undefined, findings: readonly { readonly status: string; readonly since?: string }[]): string {
  if (!last) return ''
  const failed = findings.filter(({ status }) => status === 'FAILED')
  const fresh = failed.filter((f) => f.since === 'new').length
  const parts = [
    fresh === 0 ? '' : `${fresh} new ${fresh === 1 ? 'failure' : 'failures'}`,
    failed.length === fresh ? '' : `${failed.length - fresh} known`,
    last.fixed.length === 0 ? '' : `${last.fixed.length} no longer ${last.fixed.length === 1 ? 'fails' : 'fail'}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `Since the last check: ${parts.join(', ')}.`
}
