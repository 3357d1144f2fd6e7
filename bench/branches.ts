/**
 * What deciding a branch costs: our own search, Z3 as a program and Z3 as wasm on the same questions, and how many each stage settles. The questions are all
 * conditions of random symbolic traces of a few sizes, and of a few chunks of a long run (branch-generate.ts).
 *
 *   npm run bench:branches [-- TRACES]
 */
import { HeddleError } from '../src/errors.ts'
import { Partition } from '../src/causal/chunk.ts'
import { BranchDecider, type BranchAnswer } from '../src/predict/branches/thread-decide.ts'
import { BRANCH_SETUP } from '../src/predict/branches/thread-smt.ts'
import { Z3, type Z3Flavour } from '../src/solve/z3.ts'
import type { SymbolicTrace } from '../src/symbolic/symbolic-trace.ts'
import { randomSymbolic } from '../test/branches/threads-random.ts'
import { FINE, generateFine } from './branch-generate.ts'
import { machine, table } from './measure.ts'

const traces = Number(process.argv[2] ?? 20)
const SOLVER_MS = 2_000
/** Branches of each row for which Z3 is asked. */
const MOST_ASKED = 24
const REST = { locks: true, forks: false, updates: true }

const solvers = new Map<Z3Flavour, Z3>()
for (const flavour of ['native', 'wasm'] as const) {
  try {
    solvers.set(flavour, await Z3.open({ timeoutMs: SOLVER_MS, graceMs: SOLVER_MS, flavour, setup: BRANCH_SETUP }))
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error
    console.log(`There is no Z3 (${flavour}) here.`)
  }
}

console.log(`${machine()}; milliseconds of wall time per branch: median, 95 %, most; ${SOLVER_MS / 1000} s for a question`)
const rows = [
  ['', 'branches', 'cannot vary', 'own search', 'left to Z3', 'asked, flip', 'no answer', 'disagree', 'own', 'Z3 native', 'Z3 wasm'],
]
for (const [name, make] of Object.entries({
  '2 tasks, 12 events': () => many(2, 12),
  '3 tasks, 30 events': () => many(3, 30),
  '4 tasks, 60 events': () => many(4, 60),
  'chunks of a long run': longRun,
})) {
  const counts = { branches: 0, cannot: 0, own: 0, left: 0, flip: 0, none: 0, disagree: 0 }
  const times: Record<'own' | Z3Flavour, number[]> = { own: [], native: [], wasm: [] }
  for (const symbolic of make()) {
    const decider = new BranchDecider(symbolic)
    for (let b = 0; b < symbolic.trace.eventCount; b++) {
      if (!decider.isCondition(b)) continue
      counts.branches++
      const started = performance.now()
      const own = decider.own(b)
      times.own.push(performance.now() - started)
      if (own?.verdict === 'infeasible') counts.cannot++
      else if (own) counts.own++
      else counts.left++
      // What cannot vary is no question for Z3. What our search settled is: the same questions for both.
      if (own?.verdict === 'infeasible' || times.native.length >= MOST_ASKED) continue
      const verdicts: BranchAnswer['verdict'][] = own ? [own.verdict] : []
      for (const [flavour, z3] of solvers) {
        const asked = performance.now()
        const answer = (await decider.ask(z3, [b])).get(b)!
        times[flavour].push(performance.now() - asked)
        if (answer.verdict === 'unknown') counts.none++
        else verdicts.push(answer.verdict)
      }
      if (!own && verdicts.includes('feasible')) counts.flip++
      if (new Set(verdicts).size > 1) counts.disagree++
    }
  }
  rows.push([
    name,
    ...[counts.branches, counts.cannot, counts.own, counts.left, counts.flip, counts.none, counts.disagree].map(String),
    ...[times.own, times.native, times.wasm].map(line),
  ])
}
for (const z3 of solvers.values()) z3.close()
console.log(table(rows))
console.log(`Z3 was asked about ${MOST_ASKED} branches of each row at most.`)

function many(tasks: number, events: number): SymbolicTrace[] {
  return Array.from({ length: traces }, (_, i) => randomSymbolic(i + 1, { ...REST, tasks, events }))
}

function longRun(): SymbolicTrace[] {
  const planted = generateFine(1, { ...FINE, events: 300_000 })
  const found: SymbolicTrace[] = []
  for (const chunk of new Partition(planted, { window: 4000, most: 5 }).chunks()) found.push(chunk)
  return found
}

function line(list: readonly number[]): string {
  if (list.length === 0) return '–'
  const sorted = list.toSorted((a, b) => a - b)
  const at = (q: number): string => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!.toFixed(2)
  return `${at(0.5)} ${at(0.95)} ${at(1)}`
}
