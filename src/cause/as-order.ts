/**
 * An interrupted update that also fails if nothing comes in between. The finding then names the order of two of its steps, which no lock would
 * change. Likewise for two writes, the second of which is part of an update: the read before it comes too early.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { Rerun } from '../confirm/run.ts'
import { locationOf, steps as turns, summaryOf } from '../predict/loop/describe.ts'
import { flows } from '../predict/loop/pattern.ts'
import { recordedUnits } from '../predict/loop/played-order.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { OrderRow } from '../schedule/order.ts'
import type { Saved } from '../schedule/saved.ts'
import { tooEarly, tooLate, type Told } from '../trace/sentences.ts'
import * as loops from './loop-trials.ts'
import { isSamePlace, pairsOf, placeOf, type Pair, type Place } from './pairs.ts'
import { rowOf as threadRow } from './row.ts'
import { eventOf } from './same-step.ts'
import * as steps from './thread-trials.ts'

export function asOrder(prediction: Saved, recorded: Rerun['run']): Saved {
  const { observed, failing } = prediction
  const [pair] = pairsOf(observed, failing)
  if (!pair) return prediction
  const rowOf = (place: Place): OrderRow => observed.find(({ turn, offLoop }) => isSamePlace({ ...turn, offLoop }, place))!
  const first = lastWrite(prediction, pair, recorded) ?? rowOf(pair.first)
  return orderOf(prediction, first, readBefore(prediction, pair, recorded) ?? rowOf(pair.second))
}

/** Where the flow of the first writes there again before the second comes, the second sees, or overwrites, only its last write. Of a loop. */
function lastWrite(
  { observed, locations: [what = ''], schedule }: Saved,
  { first, second }: Pair,
  recorded: Rerun['run'],
): OrderRow | undefined {
  if (schedule.kind !== 'delays' || !recorded?.loop) return undefined
  const view = new LoopView(recorded.loop)
  const { accesses } = view
  const writes = (a: number): boolean => accesses.write[a] === 1 && locationOf(view, a) === what
  const [x, y] = [loops.unitOf(view, first), loops.unitOf(view, second)]
  if (x === undefined || y === undefined) return undefined
  const own = [...accesses.of(x)].find(writes)
  if (own === undefined || !observed.some((row) => isSamePlace(placeOf(row), first) && row.accesses[0]?.access === 'write'))
    return undefined
  let last: number | undefined
  for (let a = own + 1; a < accesses.locationStart[accesses.location[own]! + 1]!; a++) {
    const unit = accesses.unit[a]!
    if (unit === y || view.positionOf(unit) >= view.positionOf(y)) break
    if (unit !== x && writes(a) && flows(view, own, a)) last = a
  }
  return last === undefined ? undefined : turns(view, recordedUnits(view, [accesses.unit[last]!]), [what], [last])[0]
}

/** Where two writes are told: the read that the second relies on, if it has come too early, too. */
export function asRead(prediction: Saved, recorded: Rerun['run']): Saved {
  const { kind, observed, failing } = prediction
  const [pair] = pairsOf(observed, failing)
  const read = kind === 'order-violation' && observed.length === 2 && pair && readBefore(prediction, pair, recorded)
  return read ? orderOf(prediction, observed[0]!, read) : prediction
}

function readBefore({ observed, locations, schedule }: Saved, { first, second }: Pair, recorded: Rerun['run']): OrderRow | undefined {
  const [what = ''] = locations
  const writes = (place: Place): boolean =>
    observed.some(({ turn, offLoop, accesses: [one] }) => isSamePlace({ ...turn, offLoop }, place) && one?.access === 'write')
  if (!writes(first) || !writes(second)) return undefined
  if (schedule.kind === 'steps' && recorded?.threads) {
    const { trace } = recorded.threads
    const read = steps.updateOf(recorded.threads, second)
    const [x, y] = [eventOf(recorded.threads, first), eventOf(recorded.threads, read)]
    const order = trace.recordedOrder()
    return read === second || order.indexOf(x) > order.indexOf(y) ? undefined : threadRow(recorded.threads, y, what)
  }
  if (schedule.kind !== 'delays' || !recorded?.loop) return undefined
  const view = new LoopView(recorded.loop)
  const read = loops.updateOf(view, second, what)
  const unit = read === second || loops.order(view, { first, second: read }) !== 'recorded' ? undefined : loops.unitOf(view, read)
  if (unit === undefined) return undefined
  const shown = [...view.accesses.of(unit)].filter((a) => !view.accesses.write[a] && locationOf(view, a) === what)
  return turns(view, recordedUnits(view, [unit]), [what], shown)[0]
}

function orderOf(prediction: Saved, first: OrderRow, second: OrderRow): Saved {
  const { locations, schedule } = prediction
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
    summary:
      schedule.kind === 'steps'
        ? ofThreads
        : pattern === 'stale read'
          ? `${what} can be read before it is written.`
          : summaryOf(what, { pattern }),
    fingerprint: fingerprintOf(['order-violation', pattern, ...lines, what.replaceAll(/#\d+/g, '#')]),
    sites: [...new Set([siteIn(first), siteIn(second)])].filter((site) => site !== ''),
    observed: [first, second],
    failing: [second, first],
  }
}
