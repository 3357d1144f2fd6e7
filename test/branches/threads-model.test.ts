/**
 * The `symbolic` model on random small traces: reads that nothing depends on are free. What the deciders find under it, against `maximal` and against enumeration of
 * all orders in which every branch stays as recorded: more than the first, never more than the second.
 */
import { afterAll, expect, test } from 'vitest'
import { freeReads } from '../../src/causal/free-reads.ts'
import { readsFrom } from '../../src/causal/reads-from.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import { drawSymbolic } from '../../src/symbolic/text.ts'
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'
import { isAccess, isAtomic, isRead, isWrite } from '../../src/trace/ops.ts'
import { NONE, Trace } from '../../src/trace/trace.ts'
import { beginOf } from '../../src/trace/updates.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import { Checker } from '../../src/witness/check.ts'
import { PathChecker } from '../../src/witness/paths.ts'
import { sized } from '../layer.ts'
import { conflictingPairs } from '../oracle/enumerate.ts'
import { demanding } from '../oracle/random-demands.ts'
import { reaches } from './threads-enumerate.ts'
import { randomSymbolic } from './threads-random.ts'

const TRACES = sized(60, 600)

interface Tally {
  asked: number
  /** Under `maximal` where branches are not recorded. */
  unrecorded: number
  maximal: number
  symbolic: number
  all: number
}
const tallies: Record<string, Tally> = {}

test('what is found with free reads is feasible, and all that is found without', () => {
  for (let seed = 0; seed < TRACES; seed++) {
    const symbolic = randomSymbolic(seed, {
      events: 9,
      tasks: 2 + (seed % 2),
      locks: seed % 3 === 0,
      forks: seed % 4 === 0,
      updates: seed % 5 === 0,
    })
    const { trace } = symbolic
    const free = freeReads(symbolic)
    const deciders = [new Decider(trace, 'maximal'), new Decider(trace, 'maximal', undefined, free)] as const
    const unrecorded = new Decider(new Trace(trace, trace.tables, { ...trace.facts, branches: false }), 'maximal')
    const checker = new Checker(trace, 'maximal', free)
    const paths = new PathChecker(symbolic)
    for (const [kind, demands] of candidatesOf(symbolic)) {
      const tally = (tallies[kind] ??= { asked: 0, unrecorded: 0, maximal: 0, symbolic: 0, all: 0 })
      const [plain, freed] = deciders.map((decider) => decider.decide(demands))
      const truth = reaches(symbolic, demands)
      const where = `seed ${seed}, ${kind} ${JSON.stringify(demands)}\n${drawSymbolic(symbolic)}`
      if (freed!.verdict === 'feasible') {
        if (checker.check(demands, freed!.witness.order)) throw new Error(`the checker refuses: ${where}`)
        if (paths.keeps(freed!.witness.order)) throw new Error(`a branch flips: ${where}`)
        if (!truth) throw new Error(`no order does that: ${where}`)
      } else if (plain!.verdict === 'feasible') throw new Error(`lost: ${where}`)
      tally.asked++
      tally.unrecorded += Number(unrecorded.decide(demands).verdict === 'feasible')
      tally.maximal += Number(plain!.verdict === 'feasible')
      tally.symbolic += Number(freed!.verdict === 'feasible')
      tally.all += Number(truth)
    }
  }
  for (const tally of Object.values(tallies)) expect(tally.symbolic).toBeGreaterThan(tally.maximal)
})

function* candidatesOf({ trace }: SymbolicTrace): Generator<[string, Demands]> {
  const writer = readsFrom(trace)
  for (const [a, b] of conflictingPairs(trace))
    if (!isAtomic(trace.op[a]!) || !isAtomic(trace.op[b]!)) yield ['data-race', demanding({ next: [beginOf(trace, a), beginOf(trace, b)] })]
  for (let r = 0; r < trace.eventCount; r++) {
    if (!isRead(trace.op[r]!)) continue
    if (writer[r] !== NONE && trace.taskOf(writer[r]!) !== trace.taskOf(r))
      yield ['order-violation', demanding({ next: [r], without: [writer[r]!] })]
    for (let w = 0; w < trace.eventCount; w++) {
      const other = isWrite(trace.op[w]!) && trace.target[w] === trace.target[r] && trace.taskOf(w) !== trace.taskOf(r)
      if (other && trace.stamp[w]! > trace.stamp[r]!) yield ['order-violation', demanding({ next: [r], include: [w] })]
    }
  }
  for (let a = 0; a < trace.eventCount; a++) {
    if (!isAccess(trace.op[a]!)) continue
    for (let b = a + 1; b < trace.taskStart[trace.taskOf(a) + 1]!; b++) {
      if (!isAccess(trace.op[b]!) || trace.target[b] !== trace.target[a] || beginOf(trace, b) === a) continue
      for (let c = 0; c < trace.eventCount; c++) {
        if (isWrite(trace.op[c]!) && trace.target[c] === trace.target[a] && trace.taskOf(c) !== trace.taskOf(a))
          yield ['atomicity', demanding({ next: [beginOf(trace, b)], before: [[a, c]] })]
      }
    }
  }
}

afterAll(() => {
  for (const [kind, { asked, unrecorded, maximal, symbolic, all }] of Object.entries(tallies))
    console.log(
      `${kind}: ${asked} candidates, feasible ${unrecorded} without branches, ${maximal} under maximal, ${symbolic} under symbolic, ${all} by enumeration`,
    )
})
