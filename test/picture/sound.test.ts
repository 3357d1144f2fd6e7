/** What holds of every picture, on many: of random loops and threads, with room for all of it or hardly any, and of long runs. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { LoopRun } from '../../src/causal/loop/run.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { Pictures } from '../../src/picture/pictures.ts'
import { predictLoop } from '../../src/predict/loop/predict.ts'
import { predictThreads } from '../../src/predict/threads/predict.ts'
import { savedOf } from '../../src/schedule/saved.ts'
import { WORKERS } from '../../src/frontends/workers/vocabulary.ts'
import type { Joined } from '../../src/trace/joined.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { longRun } from '../loop/long-run.ts'
import { LoopTrace } from '../loop/loop-trace.ts'
import { randomView, type InTurn } from '../loop/random-turns.ts'
import { randomProgram, record } from '../threads/lock-programs.ts'
import { wrongWith } from './sound.ts'

const OPTIONS = { timers: 'latency', command: [] } as const
const ROOM = [1, 3, 8, 400]
const NO_LOOP = new LoopRun(new LoopView(new LoopTrace().finish()))

test('random event loops, with the run of another seed, the same run, or none that failed', () => {
  let made = 0
  for (let seed = 1; seed <= 40; seed++) {
    const [run, other] = [randomLoop(seed), randomLoop(seed + 1000)]
    for (const prediction of predictLoop(run.view, { ...OPTIONS, limit: 3 })) {
      for (const failed of [undefined, { loop: run.trace }, { loop: other.trace }]) {
        for (const most of ROOM) {
          const picture = new Pictures({ loop: run, threads: undefined }, most).of(savedOf(prediction), failed)!
          expect(wrongWith(picture), `seed ${seed}, ${most} events`).toEqual([])
          expect(Math.max(picture.observed.does.length, 0)).toBeLessThanOrEqual(Math.max(most, prediction.observed.length * 4))
          made++
        }
      }
    }
  }
  expect(made).toBeGreaterThan(200)
})

function randomLoop(seed: number): LoopRun {
  const random = new Random(seed)
  const inTurn: InTurn = (trace, op) => {
    if (op.queue === 'fs' && random.chance(0.5)) trace.effect(op.name, random.chance(0.5) ? 'w file:x' : 'r file:x')
    for (let i = random.below(3); i > 0; i--) {
      if (random.chance(0.5)) trace.write(`Object#1.${random.pick(['a', 'b'])}`, random.below(3), `app.js:${op.name.slice(1)}:1`)
      else trace.read(`Object#1.${random.pick(['a', 'b'])}`, `app.js:${op.name.slice(1)}:5`)
    }
  }
  return new LoopRun(randomView(seed, inTurn))
}

test('random threads with locks made by hand', () => {
  let made = 0
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Random(seed)
    const program = randomProgram(random)
    const [run, other] = [joinedOf(record(program, random, 200)), joinedOf(record(program, random, 200))]
    if (!run || !other) continue
    for (const prediction of predictThreads(run.trace, run.steps.stepOf, { timers: 'due', command: [], vocabulary: WORKERS, limit: 3 })) {
      for (const failed of [undefined, { threads: run }, { threads: other }]) {
        for (const most of ROOM) {
          const picture = new Pictures({ loop: NO_LOOP, threads: run }, most).of(savedOf(prediction), failed)!
          expect(wrongWith(picture), `seed ${seed}, ${most} events`).toEqual([])
          made++
        }
      }
    }
  }
  expect(made).toBeGreaterThan(200)
})

/** Every stamp is one step. */
function joinedOf(trace: Trace | undefined): Joined | undefined {
  if (!trace) return undefined
  const stepOf = new Int32Array(trace.eventCount)
  for (let t = 0; t < trace.taskCount; t++) {
    let step = 0
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      if (e === trace.taskStart[t] || trace.stamp[e] !== trace.stamp[e - 1]) step++
      stepOf[e] = step
    }
  }
  return { trace, steps: { stepOf, count: new Int32Array(trace.taskCount) }, notes: [], vocabulary: WORKERS }
}

test('a run of 100,000 events, drawn whole: time and size grow with it', () => {
  const cost = (turns: number): { seconds: number; events: number; bytes: number } => {
    const run = new LoopRun(new LoopView(longRun(turns, 8)))
    const [prediction] = [...predictLoop(run.view, { timers: 'due', command: [], limit: 1 })]
    const start = process.cpuUsage()
    const picture = new Pictures({ loop: run, threads: undefined }, 200_000).of(savedOf(prediction!), { loop: run.trace })!
    const { user, system } = process.cpuUsage(start)
    return { seconds: (user + system) / 1e6, events: picture.observed.does.length, bytes: JSON.stringify(picture).length }
  }
  const [small, large] = [cost(1000), cost(10_000)]
  expect(large.events).toBeGreaterThan(90_000)
  expect(large.seconds).toBeLessThan(30 * small.seconds + 1)
  expect(large.bytes).toBeLessThan(100 * large.events)
})
