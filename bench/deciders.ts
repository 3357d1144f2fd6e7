/**
 * The same questions by our decider and by Z3, in one run. Seeded random traces of about 1,000 events; the questions are race candidates that
 * neither must-order nor common locks settle, so every one of them costs something.
 *
 *   npm run bench:deciders [-- traces [questions per trace and model]]
 */
import { Random } from '../src/base/random.ts'
import { Decider } from '../src/predict/decide/decider.ts'
import { Accesses } from '../src/predict/propose/accesses.ts'
import { dataRaces } from '../src/predict/propose/data-race.ts'
import { noneRuledOut } from '../src/predict/propose/group.ts'
import { SMT_SETUP } from '../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../src/predict/decide/z3-decider.ts'
import { Z3 } from '../src/solve/z3.ts'
import { Checker } from '../src/witness/check.ts'
import type { Demands } from '../src/witness/candidate.ts'
import { MODELS, type Model } from '../src/trace/model.ts'
import { randomTrace } from '../test/oracle/random-trace.ts'

const traces = Number(process.argv[2] ?? 12)
const perTrace = Number(process.argv[3] ?? 12)
const withZ3 = process.argv[4] !== 'no-z3'

const z3 = withZ3 ? await Z3.open({ timeoutMs: 60_000, setup: SMT_SETUP }) : undefined
const times = new Map<
  Model,
  { ours: number[]; theirs: number[]; stages: Map<string, number>; slower: number; disagree: number; timeouts: number }
>()
for (const model of MODELS) times.set(model, { ours: [], theirs: [], stages: new Map(), slower: 0, disagree: 0, timeouts: 0 })

for (let seed = 1; seed <= traces; seed++) {
  const random = new Random(seed)
  const trace = randomTrace(seed, {
    events: 1000,
    tasks: [2, 4, 8, 16][seed % 4]!,
    locations: 8 + random.below(56),
    locks: 4 + random.below(12),
    signals: 2,
    values: 2 + random.below(9),
    waits: seed % 4 === 0,
    sites: 50,
  })
  for (const model of MODELS) {
    const decider = new Decider(trace, model)
    const checker = new Checker(trace, model)
    const reference = z3 && new Z3Decider(z3, trace, model)
    const row = times.get(model)!
    for (const demands of sample(decider, random, perTrace)) {
      const t0 = performance.now()
      const answer = decider.decide(demands)
      const ours = performance.now() - t0
      row.ours.push(ours)
      const key = `${answer.stage} ${answer.verdict}`
      row.stages.set(key, (row.stages.get(key) ?? 0) + 1)
      if (answer.verdict === 'feasible' && checker.check(demands, answer.witness.order)) throw new Error(`seed ${seed}: refused witness`)
      if (!reference) continue
      const t1 = performance.now()
      const theirs = await reference.decide(demands)
      const elapsed = performance.now() - t1
      row.theirs.push(elapsed)
      if (ours > elapsed) row.slower++
      if (theirs.feasible === undefined) row.timeouts++
      else if (answer.verdict !== 'unknown' && theirs.feasible !== (answer.verdict === 'feasible')) {
        row.disagree++
        console.log(`seed ${seed} ${model} DISAGREE`, JSON.stringify(demands), key, theirs.feasible)
      }
    }
  }
}
z3?.close()

const line = (list: number[]): string => {
  const sorted = list.toSorted((a, b) => a - b)
  const at = (q: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(3)
  return `median ${at(0.5)}  95% ${at(0.95)}  max ${at(1)}  total ${sorted.reduce((a, b) => a + b, 0).toFixed(0)} ms`
}
const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
for (const [model, row] of times) {
  console.log(`${model}: ${row.ours.length} questions, ${JSON.stringify(Object.fromEntries(row.stages))}`)
  console.log(`  heddle   ${line(row.ours)}`)
  if (!z3) continue
  console.log(`  z3 (${z3.flavour}) ${line(row.theirs)}`)
  console.log(
    `  ratio in total ${(sum(row.theirs) / sum(row.ours)).toFixed(0)}, slower than z3 on ${row.slower}, disagreements ${row.disagree}, z3 without answer ${row.timeouts}`,
  )
}

if (z3) {
  const rows = [...times.values()]
  const [ours, theirs] = [sum(rows.flatMap((r) => r.ours)), sum(rows.flatMap((r) => r.theirs))]
  console.log(`all: heddle ${ours.toFixed(0)} ms, z3 ${theirs.toFixed(0)} ms, ratio ${(theirs / ours).toFixed(0)}`)
}

function sample(decider: Decider, random: Random, count: number): Demands[] {
  const all: Demands[] = []
  for (const group of dataRaces(decider.causality, decider.must, new Accesses(decider.causality))) {
    let taken = 0
    for (const candidate of group.candidates(noneRuledOut())) if (random.chance(0.2) && taken++ < 20) all.push(candidate)
    if (all.length > 5000) break
  }
  const picked: Demands[] = []
  while (picked.length < count && all.length > 0) picked.push(all.splice(random.below(all.length), 1)[0]!)
  return picked
}
