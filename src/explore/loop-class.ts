/**
 * Two runs of an event loop are of one class if every chain saw the same: the same callbacks came, and each read saw the same write. Values are not
 * compared: of a location that is recorded late only the write is known. The order of two writes that nothing reads makes no difference.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { LoopView } from '../causal/loop/turns.ts'
import { isEffect, opOfEffect } from '../trace/loop.ts'
import { NONE } from '../trace/trace.ts'

export function loopClass(view: LoopView): string {
  const { accesses, trace } = view
  const { unit, write, site, chain, event, previousWrite, count } = accesses
  const chainOf = (a: number): string => {
    const op = isEffect(unit[a]!) ? opOfEffect(unit[a]!) : chain[a]!
    return op === NONE ? 'main' : view.opLabel[op]!
  }
  const order = Array.from({ length: count }, (_, a) => a).sort((a, b) => event[a]! - event[b]!)
  // An access is known by its chain, its place, and how many of that chain came there before. Names of objects tell nothing: they are numbered as they come.
  const seen = new Map<string, number>()
  const names = Array.from({ length: count }, () => '')
  for (const a of order) {
    const place = `${chainOf(a)} ${write[a] ? 'w' : 'r'} ${site[a] === NONE ? '' : trace.tables.sites.at(site[a]!)}`
    const nth = (seen.get(place) ?? 0) + 1
    seen.set(place, nth)
    names[a] = `${place} ${nth}`
  }
  const reads = order
    .filter((a) => !write[a])
    .map((a) => `${names[a]!} = ${previousWrite[a] === NONE ? 'start' : names[previousWrite[a]!]!}`)
  const calls = Array.from({ length: view.turnCount - 1 }, (_, t) => `${view.labelOf(t + 1)} ${view.turnNth[t + 1]}`)
  return fingerprintOf([...reads.sort(), '', ...calls.sort()])
}
