/** The race candidates that windows leave open are just the pairs that looking at every pair leaves open. */
import { expect, test } from 'vitest'
import { Causality } from '../../src/causal/causality.ts'
import { MustOrder } from '../../src/causal/must-order.ts'
import { Accesses } from '../../src/predict/propose/accesses.ts'
import { dataRaces } from '../../src/predict/propose/data-race.ts'
import { noneRuledOut } from '../../src/predict/propose/group.ts'
import { MODELS, type Model } from '../../src/trace/model.ts'
import { UPDATE, isAtomic } from '../../src/trace/ops.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import { sized } from '../layer.ts'
import { conflictingPairs } from '../oracle/enumerate.ts'
import { randomTrace, type RandomTraceOptions } from '../oracle/random-trace.ts'

const TRACES = sized(20, 200)

const text = ([a, b]: readonly number[]): string => (a! < b! ? `${a} ${b}` : `${b} ${a}`)

function compare(trace: Trace, model: Model): { open: number; settled: number } {
  const causality = new Causality(trace, model)
  const must = new MustOrder(causality)
  const { sections, task } = causality
  // An update is one access, a write that begins at its read half.
  const isHalf = (e: EventId): boolean => trace.op[e + 1] === UPDATE
  const begin = (e: EventId): EventId => (trace.op[e] === UPDATE ? e - 1 : e)
  const all = conflictingPairs(trace)
    .filter(([a, b]) => !isHalf(a) && !isHalf(b) && !(isAtomic(trace.op[a]!) && isAtomic(trace.op[b]!)))
    .map(([a, b]) => [begin(a), begin(b)] as const)
  const expected = all.filter(([a, b]) => {
    if (must.before(a, b) || must.before(b, a)) return false
    const held = sections.openBefore(a, task[a]!)
    return !sections.openBefore(b, task[b]!).some((s) => held.some((other) => sections.conflict(s, other)))
  })
  const found: string[] = []
  let settled = 0
  const keys = new Set<string>()
  for (const group of dataRaces(causality, must, new Accesses(causality))) {
    expect(keys.has(group.key)).toBe(false)
    keys.add(group.key)
    const counted = group.open(noneRuledOut())
    const ruledOut = noneRuledOut()
    const candidates = [...group.candidates(ruledOut)]
    expect(counted).toEqual({ open: candidates.length, ruledOut })
    for (const candidate of candidates) found.push(text(candidate.next))
    settled += ruledOut.mustOrder + ruledOut.locks
  }
  expect(found.sort()).toEqual(expected.map(text).sort())
  expect(settled + found.length).toBe(all.length)
  return { open: found.length, settled }
}

test.each([
  ['few sites', { sites: 6 }],
  ['few sites, atomics', { sites: 6, atomics: 5 }],
  ['nearly one site per access, atomics', { sites: 1000, atomics: 5 }],
  ['nearly one site per access: causes from open pairs', { sites: 1000 }],
])('%s', (_, options: RandomTraceOptions) => {
  const sum = { open: 0, settled: 0 }
  for (let seed = 0; seed < TRACES; seed++) {
    const trace = randomTrace(seed, { events: 250, tasks: [2, 6], locations: 3, locks: 4, waits: seed % 3 === 0, ...options })
    for (const model of MODELS) {
      const { open, settled } = compare(trace, model)
      sum.open += open
      sum.settled += settled
    }
  }
  expect(sum.open).toBeGreaterThan(1000)
  expect(sum.settled).toBeGreaterThan(1000)
})
