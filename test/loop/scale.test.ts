/** A long recording: 100,000 turns and a million accesses here; the time must grow with the trace, not with its square. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { newCoverage, predictLoop } from '../../src/predict/loop/predict.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { checkRun } from '../../src/witness/loop/check.ts'
import { LoopTrace } from './loop-trace.ts'

/** Many requests at once, each a few I/O operations in a row, touching things of their own and things of all. */
export function longRun(turns: number, accesses: number): Trace {
  const random = new Random(7)
  const trace = new LoopTrace()
  const flows = 50
  const at: string[] = []
  for (let f = 0; f < flows; f++) trace.post((at[f] = `f${f}`), 'fs', 'server.js:1:1')
  for (let t = 1; t < turns; t++) {
    const f = random.below(flows)
    trace.turn(at[f]!, t / 10)
    for (let a = 0; a < accesses; a++) {
      const shared = random.chance(0.3)
      const key = random.below(shared ? 200 : 50)
      const name = shared ? `Shared#1.k${key}` : `Request#${f}.k${key}`
      if (random.chance(0.3)) trace.write(name, random.below(9), `server.js:${10 + (key % 40)}:1`)
      else trace.read(name, `server.js:${60 + (key % 40)}:1`)
    }
    trace.post((at[f] = `f${f}n${t}`), 'fs', `server.js:${random.below(9)}:1`)
  }
  return trace.finish()
}

/** CPU time, so that others on the machine count little. */
function secondsFor(turns: number): number {
  const trace = longRun(turns, 10)
  const start = process.cpuUsage()
  const view = new LoopView(trace)
  expect(view.turnCount).toBe(turns)
  expect(checkRun(view, 'due')).toBeUndefined()
  const predictions = [...predictLoop(new LoopView(trace), { timers: 'due', command: [], limit: 20, coverage: newCoverage() })]
  expect(predictions.length).toBe(20)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

test('ten times the turns take little more than ten times as long', () => {
  const small = secondsFor(10_000)
  expect(secondsFor(100_000)).toBeLessThan(40 * small + 1)
}, 240_000)
