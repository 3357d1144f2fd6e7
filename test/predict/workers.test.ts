/** The number of workers changes neither the result nor the order in which it is reported. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Merge } from '../../src/predict/merge.ts'
import { Coverage } from '../../src/coverage.ts'
import { lanesOf, orderOfLanes } from '../../src/predict/lanes.ts'
import { predict, type PredictOptions, type Witnessed } from '../../src/predict/predict.ts'
import { handOver, takeOver } from '../../src/trace/hand-over.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { Checker } from '../../src/witness/check.ts'
import { traceOf } from '../../bench/engine-shapes.ts'
import { randomTrace } from '../oracle/random-trace.ts'

const told = async (trace: Trace, options: PredictOptions): Promise<{ found: string[]; rest: string }> => {
  const found: string[] = []
  const text = ({ candidate, witness, stage, label, cause, candidates }: Witnessed): string =>
    JSON.stringify([candidate.kind, candidate.pattern, candidate.events, [...witness.order], stage, label, cause, candidates])
  const result = await predict(trace, { ...options, onPrediction: (one) => void found.push(text(one)) })
  result.coverage.assertAddsUp()
  expect(result.predictions.map(text).sort()).toEqual(found.toSorted())
  const checker = new Checker(trace, result.model)
  for (const { candidate, witness } of result.predictions) expect(checker.check(candidate, witness.order)).toBeUndefined()
  return { found, rest: JSON.stringify([result.coverage.saved(), result.predictions.map(text), result.aborted]) }
}

test('the compiled worker is there', () => {
  expect(existsSync(fileURLToPath(new URL('../../dist/predict/worker.js', import.meta.url)))).toBe(true)
})

test.each(['few', 'any-order', 'many', 'contended', 'lock-free'] as const)('one, two and four threads give the same: %s', async (name) => {
  const trace = traceOf(name, 3, 2000)
  const alone = await told(trace, { workers: 1 })
  expect(alone.found.length).toBeGreaterThan(5)
  for (const workers of name === 'many' ? [2, 4] : [3]) expect(await told(trace, { workers })).toEqual(alone)
  const ungrouped = await told(trace, { workers: 1, ungrouped: true, kinds: ['data-race'] })
  expect(await told(trace, { workers: 2, ungrouped: true, kinds: ['data-race'] })).toEqual(ungrouped)
})

test('a trace that was handed over is the same trace', () => {
  for (let seed = 0; seed < 20; seed++) {
    const trace = randomTrace(seed, { events: 40, tasks: [2, 4], waits: true })
    const other = takeOver(structuredClone(handOver(trace)))
    expect([...other.recordedOrder()]).toEqual([...trace.recordedOrder()])
    for (let e = 0; e < trace.eventCount; e++) expect(other.eventText(e)).toBe(trace.eventText(e))
    expect(other.facts).toEqual(trace.facts)
  }
})

test('threads go through the lanes from both ends', () => {
  const lanes = lanesOf(['data-race', 'order-violation', 'deadlock'])
  expect(lanes.map((lane) => lane.direction ?? lane.kind)).toEqual(['data-race', 'overdue', 'premature', 'deadlock'])
  expect(orderOfLanes(lanes, 0)).toEqual([0, 1, 2, 3])
  expect(orderOfLanes(lanes, 1)).toEqual([3, 2, 1, 0])
})

test('answers are told in order, and at the end also those behind a gap', () => {
  const order: number[] = []
  const merge = new Merge(2, new Coverage(), (found) => void order.push(found.candidates))
  const answer = (lane: number, block: number, n: number): void =>
    merge.add({ lane, block, row: undefined, found: [{ candidates: n } as never], decided: 0 })
  answer(0, 1, 2)
  answer(1, 0, 4)
  expect(order).toEqual([])
  answer(0, 0, 1)
  expect(order).toEqual([1, 2])
  merge.end(0, 3)
  expect(order).toEqual([1, 2])
  answer(0, 2, 3)
  expect(order).toEqual([1, 2, 3, 4])
  answer(1, 2, 6)
  expect(merge.isWhole).toBe(false)
  merge.flush()
  expect(order).toEqual([1, 2, 3, 4, 6])
})

test('a signal or the end of the time gives what is known, marked as not all', async () => {
  const trace = traceOf('many', 3, 20_000)
  const controller = new AbortController()
  const stopped = await predict(trace, { workers: 1, signal: controller.signal, onPrediction: () => controller.abort() })
  expect(stopped.aborted).toBe(true)
  expect(stopped.outOfTime).toBe(false)
  expect(stopped.predictions.length).toBeGreaterThan(0)
  expect(stopped.coverage.rows.every((row) => row.atLeast)).toBe(true)
  const late = await predict(trace, { workers: 2, seconds: 0.05 })
  expect(late).toMatchObject({ aborted: true, outOfTime: true })
})
