/** The order in which reports list findings: what was seen to fail first, then by place, so that two checks with the same findings read the same. */
import type { FindingDocument } from './document.ts'
import { placeOf } from '../trace/site.ts'

export const STATUSES: readonly string[] = ['FAILED', 'REPRODUCED', 'PREDICTED', 'NOT REACHED', 'DIVERGED', 'TIMED OUT']

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

/** "2 failures confirmed" */
export function verdictOf(findings: readonly FindingDocument[], varies: readonly string[], complete: boolean): string {
  const failed = new Set(findings.filter((f) => f.status === 'FAILED').map((f) => f.failure?.shape ?? f.fingerprint)).size
  const cutShort = complete ? '' : ' (interrupted before everything was looked at)'
  if (failed > 0) return `${failed === 1 ? 'one failure' : `${failed} failures`} confirmed${cutShort}`
  return `${varies.length > 0 ? 'nothing could be confirmed, as the program varies by itself' : 'no failure was found'}${cutShort}`
}
