/**
 * Data races (seeds 003 and 004): two conflicting accesses of different tasks that can both be next at once. Proposes every pair that
 * neither must-order nor a common lock rules out.
 */
import { WRITE } from '../../trace/ops.ts'
import type { Causality } from '../../causal/causality.ts'
import type { MustOrder } from '../../causal/must-order.ts'
import type { Candidate } from '../../witness/candidate.ts'
import { Accesses, freeWindow, type AccessClass } from './accesses.ts'
import { noDemands, type Group } from './group.ts'

type ClassPair = readonly [AccessClass, AccessClass]

export function* dataRaces(causality: Causality, must: MustOrder, accesses: Accesses): Iterable<Group> {
  const { tables } = causality.trace
  for (const location of accesses.sharedLocations()) {
    const classes = accesses.classes(location)
    const causes = new Map<string, ClassPair[]>()
    for (let i = 0; i < classes.length; i++) {
      for (let j = i + 1; j < classes.length; j++) {
        const [a, b] = [classes[i]!, classes[j]!]
        if (a.task === b.task || (a.op !== WRITE && b.op !== WRITE)) continue
        const sites = [`${a.op}@${a.site}`, `${b.op}@${b.site}`].sort().join(' ')
        const pairs = causes.get(sites)
        if (pairs) pairs.push([a, b])
        else causes.set(sites, [[a, b]])
      }
    }
    for (const [sites, pairs] of causes) {
      const free: ClassPair[] = []
      const settled = { mustOrder: 0, locks: 0 }
      for (const pair of pairs) {
        if (accesses.locksets.exclude(pair[0].lockset, pair[1].lockset)) settled.locks += pair[0].events.length * pair[1].events.length
        else free.push(pair)
      }
      yield {
        kind: 'data-race',
        key: `data-race ${tables.locations.at(location)} ${sites}`,
        settled,
        candidates: () => pairsOf(causality, must, free, settled),
      }
    }
  }
}

function* pairsOf(causality: Causality, must: MustOrder, classes: readonly ClassPair[], settled: Group['settled']): Iterable<Candidate> {
  const { trace } = causality
  for (const [a, b] of classes) {
    for (const first of a.events) {
      const [from, to] = freeWindow(causality, must, b, first, first)
      settled.mustOrder += b.events.length - (to - from)
      for (let i = from; i < to; i++) {
        const second = b.events[i]!
        const [x, y] = trace.stamp[first]! <= trace.stamp[second]! ? [first, second] : [second, first]
        const pattern = `${trace.op[x] === WRITE ? 'write' : 'read'}-${trace.op[y] === WRITE ? 'write' : 'read'}`
        yield { ...noDemands, kind: 'data-race', pattern, events: [x, y], next: [x, y] }
      }
    }
  }
}
