/** Random small symbolic traces against enumeration of all orders: nothing is reported that no order flips, and with Z3 nothing that some order flips is missing. */
import { afterAll, expect, test } from 'vitest'
import { BranchDecider, type BranchAnswer } from '../../src/predict/branches/thread-decide.ts'
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'
import { drawSymbolic } from '../../src/symbolic/text.ts'
import type { EventId } from '../../src/trace/trace.ts'
import { sized } from '../layer.ts'
import { enumerate } from './threads-enumerate.ts'
import { randomSymbolic, type Sort } from './threads-random.ts'
import { openedZ3 } from './threads-z3.ts'

/** Traces of each sort. */
const TRACES = sized(100, 1000)

const SORTS: readonly (Sort & { readonly name: string })[] = [
  { name: 'two tasks', events: 10, tasks: 2, locks: false, forks: false, updates: false },
  { name: 'three tasks', events: 10, tasks: 3, locks: false, forks: false, updates: false },
  { name: 'locks', events: 11, tasks: 2, locks: true, forks: false, updates: false },
  { name: 'forks and joins', events: 10, tasks: 2, locks: false, forks: true, updates: false },
  { name: 'updates', events: 10, tasks: 2, locks: false, forks: false, updates: true },
  { name: 'all of it', events: 11, tasks: 3, locks: true, forks: true, updates: true },
]

const z3 = await openedZ3()
const counts = { traces: 0, conditions: 0, flippable: 0, bySearch: 0, byZ3: 0, byMustOrder: 0 }

test.each(SORTS)('the deciders agree with enumeration: $name', async (sort) => {
  for (let seed = 0; seed < TRACES; seed++) {
    const symbolic = randomSymbolic(seed, sort)
    const { flippable } = enumerate(symbolic)
    counts.traces++
    counts.flippable += flippable.size
    for (const [branch, answer] of await answersOf(symbolic)) {
      counts.conditions++
      if (answer === undefined) continue // no Z3 here
      if (answer.verdict === 'feasible' && answer.stage === 'search') counts.bySearch++
      else if (answer.verdict === 'feasible') counts.byZ3++
      else if (answer.verdict === 'infeasible' && answer.stage === 'must-order') counts.byMustOrder++
      if ((answer.verdict === 'feasible') !== flippable.has(branch) || answer.verdict === 'unknown')
        throw new Error(
          `seed ${seed}: branch ${branch} ${JSON.stringify(answer)}, enumeration says ${flippable.has(branch)}\n${drawSymbolic(symbolic)}`,
        )
    }
  }
})

async function answersOf(symbolic: SymbolicTrace): Promise<Map<EventId, BranchAnswer | undefined>> {
  const decider = new BranchDecider(symbolic)
  const answers = new Map<EventId, BranchAnswer | undefined>()
  const left: EventId[] = []
  for (let e = 0; e < symbolic.trace.eventCount; e++) {
    if (!decider.isCondition(e)) continue
    const own = decider.own(e)
    answers.set(e, own)
    if (!own) left.push(e)
  }
  if (z3) for (const [e, answer] of await decider.ask(z3, left)) answers.set(e, answer)
  return answers
}

afterAll(() => {
  z3?.close()
  expect(counts.bySearch).toBeGreaterThan(0.8 * counts.flippable)
  console.log(
    `${counts.traces} traces, ${counts.conditions} conditions, ${counts.flippable} can flip: ${counts.bySearch} found by own search, ${counts.byZ3} by Z3; ${counts.byMustOrder} cannot by must-order`,
  )
})
