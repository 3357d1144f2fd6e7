/** A broken update that also fails when nothing is broken into: what is told is the order of two of its steps, which no lock would mend. */
import { fingerprintOf } from '../base/fingerprint.ts'
import { summaryOf } from '../predict/loop/describe.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { OrderRow } from '../schedule/order.ts'
import type { Saved } from '../schedule/saved.ts'
import { tooEarly, tooLate, type Told } from '../trace/sentences.ts'
import { isSamePlace, pairsOf } from './pairs.ts'

export function asOrder(prediction: Saved): Saved {
  const { observed, failing, locations, schedule } = prediction
  const [pair] = pairsOf(observed, failing)
  if (!pair) return prediction
  const rowOf = (rows: readonly OrderRow[], place: typeof pair.first): OrderRow | undefined =>
    rows.find(({ turn, offLoop }) => isSamePlace({ ...turn, offLoop }, place))
  const [first, second] = [rowOf(observed, pair.first)!, rowOf(observed, pair.second)!]
  const [what = ''] = locations
  const siteIn = (row: OrderRow): string => row.accesses[0]?.site ?? ''
  const reads = (row: OrderRow): boolean => row.accesses[0]?.access === 'read'
  const pattern = reads(first) ? 'read order' : reads(second) ? 'stale read' : 'write order'
  const at = (row: OrderRow): string => (siteIn(row) === '' ? '' : ` (${lineOf(siteIn(row)).split(' ')[0]})`)
  const told: Told = { who: [second.name, first.name], at: [at(second), at(first)], what }
  const ofThreads =
    pattern === 'read order'
      ? tooLate(told)
      : pattern === 'stale read'
        ? tooEarly(pattern, told)
        : `${second.name} can write ${what}${at(second)} before ${first.name} does${at(first)}.`
  const lines = [siteIn(first), siteIn(second)].map(lineOf)
  return {
    ...prediction,
    kind: 'order-violation',
    pattern,
    summary: schedule.kind === 'delays' ? summaryOf(what, { pattern }) : ofThreads,
    fingerprint: fingerprintOf(['order-violation', pattern, ...lines, what.replaceAll(/#\d+/g, '#')]),
    sites: [...new Set([siteIn(first), siteIn(second)])].filter((site) => site !== ''),
    observed: [first, second],
    failing: [second, first],
  }
}
