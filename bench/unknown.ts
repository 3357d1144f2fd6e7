/**
 * How many hard questions stay unknown: race candidates that neither must-order nor locks settle, in random traces with few locks for many tasks.
 *
 * Native Z3 is asked what stays unknown, with 60 seconds of processor time a question unless said; 0 leaves it out.
 *
 *   npm run bench:unknown [-- SEEDS [BUDGET [Z3_SECONDS]]]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../src/base/random.ts'
import { DEFAULT_BUDGET, Decider } from '../src/predict/decide/decider.ts'
import { SMT_SETUP } from '../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../src/predict/decide/z3-decider.ts'
import { Accesses } from '../src/predict/propose/accesses.ts'
import { dataRaces } from '../src/predict/propose/data-race.ts'
import { noneRuledOut } from '../src/predict/propose/group.ts'
import { Z3 } from '../src/solve/z3.ts'
import type { Model } from '../src/trace/model.ts'
import type { Trace } from '../src/trace/trace.ts'
import type { Demands } from '../src/witness/candidate.ts'
import { randomTrace } from '../test/oracle/random-trace.ts'
import { machine } from './measure.ts'

const seeds = (process.argv[2] ?? '1,2').split(',').map(Number)
const budget = Number(process.argv[3] ?? DEFAULT_BUDGET)
const z3Seconds = Number(process.argv[4] ?? 60)
/** How much longer than its processor time a question may take. */
const MOST_LOAD = 20
const folder = mkdtempSync(join(tmpdir(), 'heddle-unknown-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** What Z3 says of questions, counted; each gets a process of its own, with so many seconds of processor time, so that a busy machine does not count. */
async function byZ3(questions: readonly { trace: Trace; demands: Demands }[], model: Model): Promise<string> {
  const command = join(folder, 'z3')
  writeFileSync(command, `#!/bin/sh\nulimit -t ${z3Seconds}\nexec z3 "$@"\n`, { mode: 0o755 })
  const none = `no answer in ${z3Seconds} CPU s`
  const count: Record<string, number> = { feasible: 0, infeasible: 0, [none]: 0 }
  for (const { trace, demands } of questions) {
    const z3 = await Z3.open({ timeoutMs: z3Seconds * MOST_LOAD * 1000, setup: SMT_SETUP, flavour: 'native', command })
    const { feasible } = await new Z3Decider(z3, trace, model).decide(demands)
    z3.close()
    count[feasible === undefined ? none : feasible ? 'feasible' : 'infeasible']!++
    if (process.stderr.isTTY || process.env['VERBOSE']) console.error(`  Z3: ${JSON.stringify(count)}`)
  }
  return JSON.stringify(count)
}

const SHAPES: readonly { name: string; events: number; questions: number; waits: boolean; model: Model }[] = [
  { name: '2,000 events, maximal', events: 2000, questions: 16, waits: false, model: 'maximal' },
  { name: '5,000 events, maximal', events: 5000, questions: 20, waits: false, model: 'maximal' },
  { name: '2,000 events with waits, sync', events: 2000, questions: 12, waits: true, model: 'sync' },
]

console.log(`${machine()}; 16 tasks, 4 locks, budget ${budget}`)
for (const { name, events, questions, waits, model } of SHAPES) {
  let asked = 0
  const cpu = process.cpuUsage()
  const answers = new Map<string, number>()
  const left: { trace: Trace; demands: Demands }[] = []
  for (const seed of seeds) {
    const random = new Random(seed)
    const trace = randomTrace(seed, { events, tasks: 16, locks: 4, locations: 16, signals: 2, values: 4, waits, sites: 50 })
    const decider = new Decider(trace, model, budget)
    const all: Demands[] = []
    for (const group of dataRaces(decider.causality, decider.must, new Accesses(decider.causality)))
      for (const candidate of group.candidates(noneRuledOut())) if (random.chance(0.05) && all.length < 5000) all.push(candidate)
    for (let i = 0; i < questions && all.length > 0; i++) {
      const demands = all.splice(random.below(all.length), 1)[0]!
      const answer = decider.decide(demands)
      asked++
      if (answer.verdict === 'unknown') left.push({ trace, demands })
      const key = `${answer.verdict} by ${answer.stage}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${name}: ${left.length} of ${asked} unknown, ${((user + system) / 1e6).toFixed(1)} CPU s; ${JSON.stringify(Object.fromEntries(answers))}`,
  )
  if (z3Seconds > 0 && left.length > 0) console.log(`  of these Z3: ${await byZ3(left, model)}; ${machine()}`)
}
