/** The order in which reports list findings: failures first, then by site, so that two checks with the same findings read the same. */
import type { CheckDocument, FindingDocument } from './document.ts'
import { placeOf } from '../trace/site.ts'
import { count } from './lines.ts'

export const STATUSES: readonly string[] = [
  'FAILED',
  'REPRODUCED',
  'PREDICTED',
  'NOT REACHED',
  'DIVERGED',
  'TIMED OUT',
  'NEEDS DELAY',
  'IGNORED',
]

export const worstFirst = (findings: readonly FindingDocument[]): FindingDocument[] =>
  [...findings].sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || comparePlaces(a, b))

export function comparePlaces(a: FindingDocument, b: FindingDocument): number {
  const [p, q] = [placeOf(a.sites[0] ?? ''), placeOf(b.sites[0] ?? '')]
  return (
    compare(p?.file ?? '', q?.file ?? '') ||
    (p?.line ?? 0) - (q?.line ?? 0) ||
    (p?.column ?? 0) - (q?.column ?? 0) ||
    compare(a.fingerprint, b.fingerprint)
  )
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What every format calls the number of failures: findings that are FAILED, each of another failure. */
export const failuresIn = ({ findings }: Pick<CheckDocument, 'findings'>): number => findings.filter((f) => f.status === 'FAILED').length

/** What was run: `heddle check -- node app.js`, `heddle predict account.txt`. */
export const commandOf = ({ command, trace }: Pick<CheckDocument, 'command' | 'trace'>): readonly string[] =>
  trace ? ['heddle', 'predict', trace.source] : ['heddle', 'check', '--', ...command]

/** "2 failures confirmed" */
export function verdictOf(document: Pick<CheckDocument, 'findings' | 'varies' | 'complete' | 'trace'>): string {
  const { findings, varies, complete, trace } = document
  const failed = failuresIn(document)
  const cutShort = complete ? '' : ' (interrupted before everything was examined)'
  if (failed > 0) return `${failed === 1 ? 'one failure' : `${failed} failures`} confirmed${cutShort}`
  if (trace) return `${findings.length === 0 ? 'nothing was predicted' : count(findings.length, 'prediction')}${cutShort}`
  return `${varies.length > 0 ? 'nothing could be confirmed, because runs without any delay differ' : 'no failure was found'}${cutShort}`
}
