/** The rules that tell a failure that needs a longer delay than a program has to bear from a failure of the program: on hand-made runs, each in both polarities. */
import { describe, expect, test } from 'vitest'
import type { Try } from '../../src/cause/prove.ts'
import { mostDelay, tooLong, unexplained } from '../../src/cause/too-long.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import type { Rerun, ReplayRun } from '../../src/confirm/run.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { SCHEDULE_VERSION, type Delay, type DelaySchedule } from '../../src/schedule/schedule.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { LoopTrace } from '../loop/loop-trace.ts'

const hold = (label: string, until: string): Delay => ({
  do: 'hold',
  what: { label, nth: 1 },
  at: 'finish',
  until: { label: until, nth: 1 },
  note: label,
})

const row = (label: string, access: 'read' | 'write'): OrderRow => ({
  turn: { label, nth: 1 },
  name: label,
  chain: label,
  offLoop: false,
  posted: '',
  at: 0,
  accesses: [{ access, location: 'x', site: '' }],
})

interface Case {
  readonly delays: readonly Delay[]
  readonly ms?: number
  readonly observed?: readonly OrderRow[]
  readonly failing?: readonly OrderRow[]
}

function findingOf({ delays, ms, observed = [], failing = [] }: Case): Finding<Saved> {
  const first = { label: 'a', nth: 1 }
  const schedule: DelaySchedule = {
    heddle: SCHEDULE_VERSION,
    command: ['node', 'app.js'],
    timers: 'due',
    kind: 'delays',
    delays,
    horizon: 1000,
    // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
    expect: { first, then: first },
  }
  const prediction = {
    kind: 'order-violation',
    pattern: '',
    locations: ['x'],
    sites: [],
    observed,
    failing,
    schedule,
    summary: '',
    why: [],
  }
  const cause = {
    proof: 'not proved',
    asRecorded: 'not tried',
    alone: 'not tried',
    shrunk: { before: 1, after: 1, replays: 0, least: true },
    cost: { needs: '', ...(ms === undefined ? {} : { ms }) },
  } as const
  return {
    prediction: { ...prediction, fingerprint: '0', count: 1 },
    cause,
    status: 'FAILED',
    replays: { runs: 3, failures: 3 },
    failure: undefined,
    ordered: true,
    note: undefined,
    earlier: false,
  }
}

/** What is tried, and what comes of it, in order: the last again and again. */
function tries(...ends: readonly ('passes' | 'fails' | 'no time')[]): { readonly attempt: Try; readonly schedules: DelaySchedule[] } {
  const schedules: DelaySchedule[] = []
  const attempt: Try = async (schedule) => {
    schedules.push(schedule as DelaySchedule)
    const end = ends[Math.min(schedules.length, ends.length) - 1]!
    return end === 'no time' ? undefined : { run: {} as ReplayRun, failed: end === 'fails', same: end === 'fails' }
  }
  return { attempt, schedules }
}

const judge = (recorded: Trace, failing: Trace, finding: Finding<Saved>, attempt: Try, isKnown: boolean): Promise<string | undefined> =>
  tooLong(
    finding,
    { run: { loop: recorded } } as Rerun,
    { loop: failing } as Parameters<typeof tooLong>[2],
    attempt,
    mostDelay(undefined),
    isKnown,
  )

describe('a time-out that ran out because of the delay', () => {
  const begin = (): LoopTrace => new LoopTrace().post('read', 'fs').post('limit', 'timer 300', 'app.js:7:1 main')
  const recorded = begin().turn('read', 5).finish()
  const failing = begin().turn('limit', 300).turn('read', 310).finish()
  const finding = findingOf({ delays: [hold('read', 'limit')], ms: 305 })
  const SAYS = 'It needs a delay of 305 ms, longer than the time-out of 300 ms at app.js:7.'

  test('if it passes with the time-out held back, it is not a failure of the program, whatever else is known', async () => {
    for (const isKnown of [true, false]) {
      const { attempt, schedules } = tries('passes')
      expect(await judge(recorded, failing, finding, attempt, isKnown)).toBe(SAYS)
      // Everything is delayed as before, and the timer waits for what never comes.
      expect(schedules[0]!.delays[0]).toEqual(hold('read', 'limit'))
      expect(schedules[0]!.delays[1]).toMatchObject({ what: { label: 'limit', nth: 1 }, until: { label: 'read' } })
    }
  })

  test('if it still fails, and the cause is known, it is one', async () => {
    const { attempt, schedules } = tries('fails')
    expect(await judge(recorded, failing, finding, attempt, true)).toBeUndefined()
    expect(schedules).toHaveLength(1)
  })

  test('with no cause known, the same delay is ended just before the time-out: if it passes then, the time-out was it', async () => {
    const { attempt, schedules } = tries('fails', 'passes')
    expect(await judge(recorded, failing, finding, attempt, false)).toBe(SAYS)
    expect(schedules[1]!.horizon).toBeLessThan(300)
    expect(schedules[1]!.delays).toEqual(finding.prediction.schedule.kind === 'delays' ? finding.prediction.schedule.delays : [])
  })

  test('if it fails then as well, the time-out has nothing to do with it', async () => {
    expect(await judge(recorded, failing, finding, tries('fails').attempt, false)).toBeUndefined()
  })

  test('what could not be tried is not called a failure, unless its cause is known', async () => {
    const { attempt } = tries('no time')
    expect(await judge(recorded, failing, finding, attempt, false)).toContain('no time was left to test without it')
    expect(await judge(recorded, failing, finding, attempt, true)).toBeUndefined()
  })

  test('a timer that the recorded run has fired as well is no time-out', async () => {
    const both = begin().turn('read', 5).turn('limit', 300).finish()
    const { attempt, schedules } = tries('passes')
    expect(await judge(both, failing, finding, attempt, false)).toBeUndefined()
    expect(schedules).toEqual([])
  })
})

describe('a sleep instead of waiting', () => {
  const begin = (): LoopTrace => new LoopTrace().post('work', 'fs').post('sleep', 'timer 50', 'app.js:9:1 main')
  const looks = { observed: [row('work', 'write'), row('sleep', 'read')], failing: [row('sleep', 'read'), row('work', 'write')] }
  const finding = findingOf({ delays: [hold('work', 'sleep')], ms: 55, ...looks })

  test('who begins something, sleeps and looks has a sleep that is too short', async () => {
    const recorded = begin().turn('work', 5).write('x', 1).turn('sleep', 50).read('x').finish()
    const failing = begin().turn('sleep', 50).read('x').turn('work', 60).write('x', 1).finish()
    const said = await judge(recorded, failing, finding, tries('fails').attempt, true)
    expect(said).toBe('It needs a delay of 55 ms: the program sleeps for 50 ms at app.js:9, and does not wait.')
  })

  test('who changes what it looks at is no mere driver', async () => {
    const recorded = begin().turn('work', 5).write('x', 1).turn('sleep', 50).read('x').write('x', 2).finish()
    const failing = begin().turn('sleep', 50).read('x').write('x', 2).turn('work', 60).write('x', 1).finish()
    expect(await judge(recorded, failing, finding, tries('fails').attempt, true)).toBeUndefined()
  })

  test('the same with no cause known: what fails is the look, and its flow had begun all that was held', async () => {
    const unknown = findingOf({ delays: [hold('work', 'sleep')], ms: 55 })
    const recorded = begin().turn('work', 5).write('x', 1).turn('sleep', 50).read('x').finish()
    const failing = begin().turn('sleep', 50).read('x').finish()
    expect(await judge(recorded, failing, unknown, tries('fails').attempt, false)).toContain('the program sleeps for 50 ms')
    expect(await judge(recorded, failing, unknown, tries('fails').attempt, true)).toBeUndefined()
    const acts = begin().turn('work', 5).write('x', 1).turn('sleep', 50).read('x').write('x', 2).finish()
    expect(await judge(acts, failing, unknown, tries('fails').attempt, false)).toBeUndefined()
  })

  test('a port that the system chose has another number in the failing run: who takes it there has not only looked', async () => {
    const unknown = findingOf({ delays: [hold('work', 'sleep')], ms: 55 })
    const recorded = begin().turn('work', 5).write('port:1000', 1).turn('sleep', 50).read('port:1000').finish()
    const failing = begin().turn('sleep', 50).read('port:2000').write('port:2000', 1).finish()
    expect(await judge(recorded, failing, unknown, tries('fails').attempt, false)).toBeUndefined()
    const looks = begin().turn('sleep', 50).read('port:2000').finish()
    expect(await judge(recorded, looks, unknown, tries('fails').attempt, false)).toContain('the program sleeps for 50 ms')
  })

  test('what others do after a while is no sleep of theirs', async () => {
    const two = (): LoopTrace => new LoopTrace().post('a', 'fs').post('b', 'fs').turn('a', 1).turn('b', 2)
    const apart = (): LoopTrace => two().chain('a').post('work', 'fs').chain('b').post('sleep', 'timer 48')
    const recorded = apart().turn('work', 5).write('x', 1).turn('sleep', 50).read('x').finish()
    const failing = apart().turn('sleep', 50).read('x').turn('work', 60).write('x', 1).finish()
    expect(await judge(recorded, failing, finding, tries('fails').attempt, true)).toBeUndefined()
  })
})

describe('the clock', () => {
  const run = (site: string): Trace => new LoopTrace().post('read', 'fs').turn('read', 5).read('clock', site).finish()
  const finding = findingOf({ delays: [hold('read', 'read')], ms: 40 })
  const judged = (recorded: string, failing: string, isKnown: boolean): Promise<string | undefined> =>
    judge(run(recorded), run(failing), finding, tries('fails').attempt, isKnown)

  test('with no cause known, a program that looks at it may have had a lease that ran out', async () => {
    expect(await judged('app.js:3:1 main', 'app.js:3:1 main', false)).toContain('reads the clock at app.js:3')
  })

  test('also if only the recorded run shows it', async () => {
    expect(await judged('app.js:3:1 main', 'node_modules/x/a.js:3:1', false)).toContain('reads the clock at app.js:3')
  })

  test('not where the cause is known, and not where only packages look', async () => {
    expect(await judged('app.js:3:1 main', 'app.js:3:1 main', true)).toBeUndefined()
    expect(await judged('node_modules/x/a.js:3:1', 'node_modules/x/a.js:3:1', false)).toBeUndefined()
  })
})

describe('--max-delay', () => {
  const trace = new LoopTrace().post('a', 'fs').turn('a', 1).finish()
  const stall: Delay = { do: 'stall', after: 'a', ms: 501, note: 'a' }
  const judged = (delay: Delay, ms: number): Promise<string | undefined> =>
    judge(trace, trace, findingOf({ delays: [delay], ms }), tries('fails').attempt, true)

  test('the process may stand still for half a second, an answer may be ten seconds late', async () => {
    expect(await judged(stall, 501)).toBe('It needs a delay of 501 ms, longer than --max-delay (500 ms).')
    expect(await judged(stall, 500)).toBeUndefined()
    expect(await judged(hold('a', 'a'), 10_000)).toBeUndefined()
    expect(await judged(hold('a', 'a'), 10_001)).toContain('longer than --max-delay (10 s)')
  })

  test('what somebody asks for holds for both', () => expect(mostDelay(70)).toEqual({ io: 70, process: 70 }))
})

describe('a long delay that nothing explains', () => {
  const finding = (ms: number): Finding<Saved> => findingOf({ delays: [hold('a', 'b')], ms })

  test('is likelier a time-out than an order', () => {
    expect(unexplained(finding(1001), false)).toContain('a time-out may have run out')
    expect(unexplained(finding(1000), false)).toBeUndefined()
    expect(unexplained(finding(9000), true)).toBeUndefined()
  })
})
