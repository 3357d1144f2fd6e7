/** A long recording: 100,000 turns and a million accesses here; the time must grow with the trace, not with its square. */
import { expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictLoop } from '../../src/predict/loop/predict.ts'
import { checkRun } from '../../src/witness/loop/check.ts'
import { longRun } from './long-run.ts'

/** CPU time, so that others on the machine count little. */
function secondsFor(turns: number): number {
  const trace = longRun(turns, 10)
  const start = process.cpuUsage()
  const view = new LoopView(trace)
  expect(view.turnCount).toBe(turns)
  expect(checkRun(view, 'due')).toBeUndefined()
  const predictions = [...predictLoop(new LoopView(trace), { timers: 'due', command: [], limit: 20, coverage: new CoverageRow('turns') })]
  expect(predictions.length).toBe(20)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

test('ten times the turns take little more than ten times as long', () => {
  const small = secondsFor(10_000)
  expect(secondsFor(100_000)).toBeLessThan(40 * small + 1)
})
