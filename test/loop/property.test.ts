/** Properties and typestates on traces of a loop: which candidates there are, which order each asks for, and what is a task. */
import { describe, expect, test } from 'vitest'
import { LoopRun } from '../../src/causal/loop/run.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictProperties, type PropertyPrediction } from '../../src/predict/loop/property.ts'
import { parseProperties } from '../../src/property/parse.ts'
import type { Delay, Schedule, Timers } from '../../src/schedule/schedule.ts'
import { CALL } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from './loop-trace.ts'

const predict = (trace: Trace, text: string, timers: Timers = 'due') => {
  const coverage = new CoverageRow('properties')
  const { declarations } = parseProperties(text)
  const run = new LoopRun(new LoopView(trace))
  return { coverage, predictions: [...predictProperties(run, { declarations, coverage, timers, command: ['node', 'app.js'] })] }
}

const delaysOf = (schedule: Schedule | undefined): readonly Delay[] => (schedule?.kind === 'delays' ? schedule.delays : [])

const instructions = ({ schedule }: PropertyPrediction): string =>
  delaysOf(schedule)
    .map((i) => (i.do === 'hold' ? `hold ${i.what.label} until ${i.until.label}` : i.do))
    .join(', ')

const FILE = `typestate File(f) {
  OPEN: read -> OPEN, close -> CLOSED
  CLOSED: close -> CLOSED
}`

/** Two flows, begun by reads `a` and `b` that main posts. */
const twoFlows = (): LoopTrace => new LoopTrace().post('a', 'fs').post('b', 'fs')

describe('typestates', () => {
  test('a read, then a close by another flow: the read is held until the close', () => {
    const trace = twoFlows()
      .turn('a', 1)
      .call('File.read', 'File#1', 'app.js:3:1')
      .turn('b', 2)
      .call('File.close', 'File#1', 'app.js:7:1')
      .finish()
    const { predictions, coverage } = predict(trace, FILE)
    expect(predictions.map(instructions)).toEqual(['hold a until b'])
    expect(predictions[0]).toMatchObject({
      kind: 'typestate',
      pattern: 'File',
      property: { name: 'File', binding: { f: '#File#1' }, state: 'CLOSED', operation: 'read' },
      summary: 'File#1: read while it is in state CLOSED, which does not permit it.',
    })
    expect(predictions[0]!.sites.slice(0, 2)).toEqual(['app.js:7:1', 'app.js:3:1'])
    expect(coverage).toMatchObject({ facts: { properties: 1 }, candidates: 1, causes: 1, feasible: { played: 1 } })
    // For a run in which labels differ: what is posted where `a` was, until close is called there.
    expect(delaysOf(predictions[0]!.loose)).toMatchObject([
      { do: 'waylay', kind: 'fs', posted: 'app.js:a', until: { call: 'close', at: 'app.js:7:1' } },
    ])
  })

  test('not if the close is what the read leads to', () => {
    const trace = new LoopTrace()
      .post('a', 'fs')
      .turn('a', 1)
      .call('File.read', 'File#1')
      .post('b', 'fs')
      .turn('b', 2)
      .call('File.close', 'File#1')
      .finish()
    expect(predict(trace, FILE).predictions).toEqual([])
  })

  test('not if the close waited for a promise that the reading flow settled', () => {
    const trace = twoFlows().turn('a', 1).call('File.read', 'File#1').turn('b', 2).after(1).call('File.close', 'File#1').finish()
    expect(predict(trace, FILE).predictions).toEqual([])
  })

  test('two objects do not make one violation', () => {
    const trace = twoFlows().turn('a', 1).call('File.read', 'File#1').turn('b', 2).call('File.close', 'File#2').finish()
    expect(predict(trace, FILE).predictions).toEqual([])
  })

  test('timers keep to their times, unless they stand for answers', () => {
    const trace = new LoopTrace()
      .post('a', 'timer 5')
      .post('b', 'timer 5')
      .turn('a', 5)
      .call('File.read', 'File#1')
      .turn('b', 5)
      .call('File.close', 'File#1')
      .finish()
    const { predictions, coverage } = predict(trace, FILE)
    expect(predictions).toEqual([])
    expect(coverage.infeasible).toEqual({ 'timers by expiry': 1 })
    expect(predict(trace, FILE, 'latency').predictions.map(instructions)).toEqual(['hold a until b'])
  })
})

describe('properties', () => {
  const ITERATOR = `property P(c, i) {
    event create before call(*.iterator) target(c) args(i)
    event update before call(*.add) target(c)
    event next before call(*.next) target(i)
    pattern: create next* update+ next
  }`
  const iterating = () =>
    twoFlows()
      .turn('a', 1)
      .call('List.iterator', 'L#1', 'app.js:1:1', { object: 'I#1' })
      .post('c', 'fs')
      .turn('c', 2)
      .call('I.next', 'I#1', 'app.js:2:1')
      .turn('b', 3)
      .call('List.add', 'L#1', 'app.js:3:1')

  test('an update is delayed until it comes between two steps', () => {
    const { predictions } = predict(iterating().finish(), ITERATOR)
    expect(predictions.map(instructions)).toEqual(['hold c until b'])
    expect(predictions[0]!.failing.map((row) => row.accesses[0]!.location)).toEqual(['List.iterator', 'List.add', 'I.next'])
  })

  test('a guard: not if the update is made known before the next step', () => {
    const guarded = ITERATOR.replace(
      'pattern: create next* update+ next',
      'event told before call(*.told) target(c)\n pattern: create update !told next',
    )
    const told = iterating().call('List.told', 'L#1').finish()
    expect(predict(told, guarded).predictions).toEqual([])
    const late = iterating().post('d', 'fs').turn('d', 4).call('List.told', 'L#1').finish()
    expect(predict(late, guarded).predictions.map(instructions)).toEqual(['hold c until b'])
  })

  test('a property that needs two flips gets both', () => {
    // x y z recorded; z y x wanted, each in a flow of its own.
    const trace = new LoopTrace()
      .post('a', 'fs')
      .post('b', 'fs')
      .post('c', 'fs')
      .turn('a', 1)
      .call('T.x', 'T#1')
      .turn('b', 2)
      .call('T.y', 'T#1')
      .turn('c', 3)
      .call('T.z', 'T#1')
      .finish()
    const text = `property P(t) {
      event x before call(T.x) target(t)
      event y before call(T.y) target(t)
      event z before call(T.z) target(t)
      pattern: z y x
    }`
    const { predictions } = predict(trace, text)
    expect(predictions.length).toBe(1)
    expect(delaysOf(predictions[0]!.schedule).length).toBe(2)
    expect(predictions[0]!.failing.map((row) => row.accesses[0]!.location)).toEqual(['T.z', 'T.y', 'T.x'])
  })

  test('what the recorded run shows already is no prediction', () => {
    const trace = twoFlows().turn('a', 1).call('T.x', 'T#1').turn('b', 2).call('T.y', 'T#1').finish()
    const text = `property P(t) {
      event x before call(T.x) target(t)
      event y before call(T.y) target(t)
      pattern: x y
    }`
    expect(predict(trace, text).predictions).toEqual([])
    expect(predict(trace, text.replace('x y', 'y x')).predictions.map(instructions)).toEqual(['hold a until b'])
  })
})

describe('tasks of a loop', () => {
  const runOf = (trace: Trace): { run: LoopRun; calls: number[] } => {
    const run = new LoopRun(new LoopView(trace))
    return { run, calls: [...run.order].filter((e) => trace.op[e] === CALL) }
  }

  test('callbacks and what waits for promises are one flow, what was only begun side by side is not', () => {
    const trace = new LoopTrace()
      .call('T.main', 'T#1')
      .post('a', 'fs')
      .post('b', 'fs')
      .turn('a', 1)
      .call('T.a', 'T#1')
      .post('c', 'fs')
      .turn('b', 2)
      .call('T.b', 'T#1')
      .turn('c', 3)
      .call('T.c', 'T#1')
      .finish()
    const { run, calls } = runOf(trace)
    const [main, a, b, c] = calls as [number, number, number, number]
    expect(run.sameTask(a, c)).toBe(true)
    expect(run.otherTask(a, c)).toBe(false)
    expect(run.otherTask(a, b) && run.otherTask(b, c)).toBe(true)
    expect(run.sameTask(main, b)).toBe(true)
    expect(run.otherTask(main, b)).toBe(false)
    expect(run.mayPrecede(b, a) && !run.mayPrecede(c, a)).toBe(true)
  })

  test('the order has effects right before the turn that answers them', () => {
    const trace = new LoopTrace().post('a', 'fs').turn('a', 1).call('T.a', 'T#1').effect('a', 'w file:/x').finish()
    const { run } = runOf(trace)
    const names = [...run.order].map((e) => trace.targetName(e)).filter((name) => name === 'file:/x' || name === 'T.a')
    expect(names).toEqual(['file:/x', 'T.a'])
  })
})
