/**
 * Every race candidate of one trace that clocks and locks leave open: our answer, and Z3's where ours is no. Says which accesses are part of a feasible pair, and
 * which only of refuted ones.
 *
 *   node .heddle/bench/bench/bubblesort.js FILE [SECONDS [FROM]]      FROM: refuted pairs that were asked before
 *
 * Every answer of Z3 is a line: the places of the two accesses in the file, and what it said.
 */
import { Decider } from '../src/predict/decide/decider.ts'
import { SMT_SETUP } from '../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../src/predict/decide/z3-decider.ts'
import { Accesses } from '../src/predict/propose/accesses.ts'
import { dataRaces } from '../src/predict/propose/data-race.ts'
import { noneRuledOut } from '../src/predict/propose/group.ts'
import { Z3 } from '../src/solve/z3.ts'
import { openTrace } from '../src/trace/open.ts'
import { Checker } from '../src/witness/check.ts'
import type { Candidate } from '../src/witness/candidate.ts'

const trace = openTrace(process.argv[2]!)
const until = performance.now() + 1000 * Number(process.argv[3] ?? 600)
const from = Number(process.argv[4] ?? 0)
const decider = new Decider(trace, 'data', 100_000)
const checker = new Checker(trace, 'data')
const racy = new Set<number>()
const refuted: Candidate[] = []
let pairs = 0
let unknown = 0
for (const group of dataRaces(decider.causality, decider.must, new Accesses(decider.causality))) {
  for (const candidate of group.candidates(noneRuledOut())) {
    pairs++
    const answer = decider.decide(candidate)
    if (answer.verdict === 'unknown') unknown++
    else if (answer.verdict === 'infeasible') refuted.push(candidate)
    else {
      if (checker.check(candidate, answer.witness.order)) throw new Error('the checker refused a witness')
      for (const e of candidate.events) racy.add(e)
    }
  }
}
const only = new Set(refuted.flatMap(({ events }) => events).filter((e) => !racy.has(e)))
// Those that settle an event come first.
refuted.sort((a, b) => Number(b.events.some((e) => only.has(e))) - Number(a.events.some((e) => only.has(e))))
console.log(`${pairs} pairs: ${pairs - refuted.length - unknown} feasible, ${refuted.length} refuted, ${unknown} unknown`)
console.log(
  `${racy.size} accesses in a feasible pair, ${only.size} only in refuted ones (${refuted.filter((c) => c.events.some((e) => only.has(e))).length} pairs)`,
)
console.log(
  `positions: ${[...only]
    .map((e) => trace.stamp[e])
    .sort((a, b) => a! - b!)
    .join(' ')}`,
)
const z3 = await Z3.open({ timeoutMs: 60_000, setup: SMT_SETUP })
const theirs = new Z3Decider(z3, trace, 'data')
let agreed = 0
let silent = 0
let asked = from
const open = new Set(only)
for (const candidate of refuted.slice(from)) {
  if (performance.now() > until) break
  asked++
  const answer = await theirs.decide(candidate)
  if (answer.feasible === undefined) silent++
  else if (answer.feasible) throw new Error(`Z3 has an order for ${candidate.events.join(' ')}`)
  else agreed++
  const settles = candidate.events.filter((e) => only.has(e)).map((e) => trace.stamp[e])
  console.log(
    `| ${asked} | ${candidate.events.map((e) => trace.stamp[e]).join(', ')} | ${settles.join(', ')} | ${answer.feasible === undefined ? 'no answer' : 'refuted'} |`,
  )
}
z3.close()
for (const candidate of refuted.slice(asked)) for (const e of candidate.events) open.delete(e)
if (from === 0) console.log(`${open.size} of ${only.size} accesses with all their pairs asked`)
console.log(
  `Z3 (${z3.flavour}): pairs ${from + 1} to ${asked} of ${refuted.length} refuted ones asked, ${agreed} refuted by Z3 too, ${silent} without an answer`,
)
