/** The front end alone: what it refuses, what it records, and how it carries out schedules. */
import { expect, test } from 'vitest'
import { LoopView } from '../../../src/causal/loop/turns.ts'
import { HeddleError } from '../../../src/errors.ts'
import { recognise } from '../../../src/frontends/command.ts'
import { keyOf, plainSchedule, type StepSchedule, type ThreadStep } from '../../../src/schedule/schedule.ts'
import { validate } from '../../../src/trace/validate.ts'
import { checkRun } from '../../../src/witness/loop/check.ts'
import { checkLitmus, commandOf } from './check-litmus.ts'
import { compile } from './compile.ts'
import { follow, runFreely } from './follow.ts'
import { litmus } from './front-end.ts'
import { LitmusProgram } from './program.ts'
import { programsOf } from './programs.ts'
import { joinedOf } from './threads-trace.ts'
import { Threads } from './threads.ts'

test.each([
  ['', 'litmus-empty', '2:1'],
  ['var x = 0, x = 1', 'litmus-declared-twice', '1:12'],
  ['thread A:\n  x ==', 'litmus-syntax', '2:5'],
  ['thread A:\n  x = 1 2', 'litmus-syntax', '2:9'],
  ['thread A:\n  x = 1 % 2', 'litmus-syntax', '2:9'],
  ['thread A:\n  if 1 {\n  x = 1', 'litmus-syntax', '4:1'],
  ['thread A:\n  x = y', 'litmus-unset', '2:7'],
  ['thread A:\n  add y 1', 'litmus-unset', '2:3'],
  ['thread A:\n  join B', 'litmus-unknown', '2:3'],
  ['thread A:\n  start B; start B\nthread B:\n  x = 1', 'litmus-started-twice', '2:12'],
  ['thread A:\n  sleep 5', 'litmus-not-there', '2:3'],
  ['task A:\n  lock m', 'litmus-not-there', '2:3'],
  ['thread A:\n  x = 1\ntask B:\n  sleep 5', 'litmus-mixed', '3:1'],
])('%j is refused', (text, code, position) => {
  const refused = refusedBy(commandOf(text))
  expect(refused.code).toBe(code)
  expect(refused.fact).toContain(`litmus:${position}:`)
})

test.each([
  [['litmus'], 'litmus-no-program'],
  [['litmus', '/nowhere/at-all.litmus'], 'litmus-no-file'],
  [['litmus', 'thread A:\n  x = 1', '--order', 'first'], 'litmus-bad-option'],
])('the command %j is refused', (command, code) => {
  expect(refusedBy(command).code).toBe(code)
})

function refusedBy(command: readonly string[]): HeddleError {
  try {
    recognise(command, '/', [litmus])
  } catch (error) {
    if (error instanceof HeddleError) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('other commands are of other front ends', () => {
  expect(() => recognise(['/nowhere/litmus'], '/', [litmus])).toThrow(/There is no program/)
})

test('a recorded run that fails is no run to predict from', async () => {
  await expect(checkLitmus('thread A:\n  assert 1 == 2')).rejects.toThrow(
    /The recorded run failed: assertion failed: 1 == 2 \(litmus:2 A\)/,
  )
  await expect(checkLitmus('thread A:\n  lock m\n  lock m')).rejects.toThrow(/it never ends: A waits for lock m, which A has/)
})

test.each(programsOf('wrong').filter(({ text }) => text.includes('thread ')))(
  '$name: recorded traces are valid, and a plain replay is the same run',
  ({ text }) => {
    for (const seed of [undefined, 1, 2, 3]) {
      const program = compile(text)
      const threads = new Threads(program)
      const joined = joinedOf(program, runFreely(threads, seed).taken)
      expect(() => validate(joined.trace)).not.toThrow()
      const again = new LitmusProgram(program, seed).run(plainSchedule({ command: [], timers: 'due' })).threads!
      expect(again.trace.op).toEqual(joined.trace.op)
      expect(again.trace.stamp).toEqual(joined.trace.stamp)
    }
  },
)

test.each(programsOf('wrong').filter(({ text }) => text.includes('task ')))(
  '$name: the order of turns keeps the rules of event loops',
  ({ text }) => {
    for (const timers of ['due', 'latency'] as const) {
      const { loop } = new LitmusProgram(compile(text), undefined).run(plainSchedule({ command: [], timers }))
      expect(checkRun(new LoopView(loop!), timers)).toBeUndefined()
    }
  },
)

const TWO = `var x = 0
thread A:
  x = 1
thread B:
  lock m
  x = 2
  unlock m`

const line = (task: string, upTo: number, does = '', site = ''): ThreadStep => ({ task, upTo, does, site, note: '' })
const carriedOut = (steps: readonly ThreadStep[]): NonNullable<ReturnType<typeof follow>['steps']> =>
  follow(new Threads(compile(TWO)), { steps }).steps

test('lines are carried out, and given up with a reason', () => {
  expect(carriedOut([line('main', 3), line('B', 3, 'write', 'litmus:6 B'), line('A', 2)])).toEqual({ done: 3 })
  expect(carriedOut([line('B', 1)])).toEqual({ done: 0, gaveUp: { line: 1, why: 'it was never made: B' } })
  expect(carriedOut([line('main', 3), line('A', 9)]).gaveUp).toEqual({ line: 2, why: 'it ended before that: A' })
  expect(carriedOut([line('main', 4)]).gaveUp?.why).toBe('it has to wait: main')
  expect(carriedOut([line('main', 3), line('A', 2, 'read')]).gaveUp?.why).toBe('it does something else there: A')
  expect(carriedOut([line('main', 3), line('A', 2, 'write', 'litmus:9 A')]).gaveUp?.why).toBe('it does something else there: A')
  expect(carriedOut([line('nobody', 1)]).gaveUp?.why).toBe('it was never made: nobody')
})

test('after the last line the threads made first go on first, or those made last', () => {
  const writers = (lastFirst: boolean): string[] =>
    follow(new Threads(compile(TWO)), { steps: [line('main', 3)], lastFirst }).taken.flatMap(({ does, site }) =>
      does === 'write' ? [site] : [],
    )
  expect(writers(false)).toEqual(['litmus:3 A', 'litmus:6 B'])
  expect(writers(true)).toEqual(['litmus:6 B', 'litmus:3 A'])
})

test('a failing schedule is a value: it fails again, and is short', async () => {
  const [wrong] = programsOf('wrong').filter(({ name }) => name === 'lost-update')
  const { findings } = await checkLitmus(wrong!.text)
  const schedule = findings[0]!.prediction.schedule as StepSchedule
  const program = new LitmusProgram(compile(wrong!.text), undefined)
  expect(schedule.steps.length).toBeLessThan(6)
  expect(program.run(JSON.parse(JSON.stringify(schedule)) as StepSchedule).uncaught?.message).toMatch(/x == 2/)
  expect(keyOf(schedule)).toBe(JSON.stringify(schedule.steps))
})
