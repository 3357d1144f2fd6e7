/** The outcome of a replay: from how it ended and whether its instructions were carried out. */
import { expect, test } from 'vitest'
import { failureOf, outcomeOf } from '../../src/confirm/outcome.ts'
import type { ReplayRun } from '../../src/confirm/run.ts'
import type { ReplayNote } from '../../src/schedule/schedule.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { DISPATCH, TURN_BEGIN, TURN_END } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { prediction } from '../check/fixture.ts'

const { schedule } = prediction()
const ENDED = { stopped: false }

/** A run in which these labels were dispatched, in order. */
function traceOf(...labels: string[]): Trace {
  const builder = new TraceBuilder()
  const loop = builder.task('loop')
  for (const label of labels) {
    const name = builder.names.intern('a turn')
    builder.add(loop, TURN_BEGIN, name)
    builder.add(loop, DISPATCH, builder.queues.intern('fs'), builder.values.codeOf({ object: label }))
    builder.add(loop, TURN_END, name)
  }
  return builder.finish()
}

function run(over: Partial<ReplayRun> & { code?: number } = {}): ReplayRun {
  const {
    notes = [
      { step: 0, did: 'held' },
      { step: 0, did: 'released' },
    ],
    code = 0,
    ...rest
  } = over
  return {
    exit: { code, signal: null, ms: 100 },
    notes,
    waiting: [],
    paths: [],
    seen: [],
    loop: traceOf('label-bob', 'label-ann'),
    stopped: undefined,
    violations: [],
    flips: [],
    stdout: '',
    stderr: '',
    ...rest,
  }
}

const uncaught = {
  kind: 'exception',
  message: 'Error: port 8080 is taken',
  stack: ['at f (a.js:1:2)'],
} as const

test('failed: exception, rejection, exit code, signal, hang', () => {
  const held: ReplayNote[] = [{ step: 0, did: 'held' }]
  expect(outcomeOf(run({ code: 1, notes: held, uncaught }), schedule, ENDED)).toEqual({
    result: 'failed',
    ordered: true,
    failure: { how: 'exception', message: uncaught.message, detail: ['at f (a.js:1:2)'], shape: 'exception: Error: port N is taken' },
  })
  expect(outcomeOf(run({ code: 3, stderr: 'one\n\ntwo\n', stdout: 'no' }), schedule, ENDED)).toMatchObject({
    result: 'failed',
    failure: { how: 'exit code', message: 'Exit code 3.', detail: ['one', 'two'] },
  })
  expect(outcomeOf(run({ code: 3, stdout: 'FAIL: twice\n' }), schedule, ENDED)).toMatchObject({ failure: { detail: ['FAIL: twice'] } })
  expect(outcomeOf(run({ exit: { code: null, signal: 'SIGABRT', ms: 1 } }), schedule, ENDED)).toMatchObject({
    failure: { how: 'signal', message: 'It was ended by SIGABRT.' },
  })
  expect(outcomeOf(run({ stopped: 'stuck', exit: { code: null, signal: 'SIGINT', ms: 1 } }), schedule, ENDED)).toMatchObject({
    failure: { how: 'hang' },
  })
})

test('a failure with no instruction carried out is not the failure of the schedule', () => {
  expect(outcomeOf(run({ code: 1, notes: [], loop: traceOf('label-ann', 'label-bob') }), schedule, ENDED)).toMatchObject({
    result: 'diverged',
    step: 1,
    why: 'hold fs.writeFile (shop.js:13) until fs.readFile (shop.js:11) has called back did not happen in this run.',
  })
})

test('a recorded run that was stopped did not end either', () => {
  const stopped = { stopped: true }
  expect(failureOf(run({ stopped: 'stuck' }), stopped)).toBeUndefined()
  expect(outcomeOf(run({ stopped: 'watchdog', exit: { code: null, signal: 'SIGINT', ms: 1 } }), schedule, stopped).result).toBe(
    'reproduced',
  )
  expect(outcomeOf(run({ code: 1 }), schedule, stopped).result).toBe('failed')
})

test('reproduced, diverged, not reached, timed out', () => {
  expect(outcomeOf(run(), schedule, ENDED)).toEqual({ result: 'reproduced' })
  expect(outcomeOf(run({ loop: traceOf('label-bob') }), schedule, ENDED)).toEqual({ result: 'reproduced' })
  expect(outcomeOf(run({ loop: traceOf('label-ann', 'label-bob') }), schedule, ENDED)).toMatchObject({ result: 'diverged', step: 1 })
  expect(outcomeOf(run({ loop: undefined, notes: [] }), schedule, ENDED)).toMatchObject({ result: 'diverged', step: 1 })
  const notes: ReplayNote[] = [
    { step: 0, did: 'held' },
    { step: 0, did: 'gave up', why: 'horizon' },
  ]
  expect(outcomeOf(run({ notes, loop: traceOf('label-ann') }), schedule, ENDED)).toMatchObject({ result: 'not reached', step: 1 })
  expect(outcomeOf(run({ stopped: 'watchdog', exit: { code: null, signal: 'SIGKILL', ms: 10_000 } }), schedule, ENDED)).toEqual({
    result: 'timed out',
    why: 'It did not end within 10 s.',
  })
})

test('what the engine quotes of our hooks is not shown', () => {
  const uncaught = { kind: 'exception' as const, message: 'TypeError: $hd.k(...).query is not a function', stack: [] }
  const failure = failureOf(run({ uncaught }), { stopped: false })
  expect(failure?.message).toBe('TypeError: (intermediate value).query is not a function')
})
