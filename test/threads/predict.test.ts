/** Predictions for threads on small drawn traces: what must be predicted, with which schedule, and what must not. */
import { describe, expect, test } from 'vitest'
import { WORKERS } from '../../src/frontends/workers/vocabulary.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictThreads, type ThreadPrediction } from '../../src/predict/threads/predict.ts'
import { totalsOf } from '../adds-up.ts'
import { Checker } from '../../src/witness/check.ts'
import { drawn } from './drawn.ts'

const OPTIONS = { timers: 'due', command: ['node', 'app.mjs'], vocabulary: WORKERS } as const

function all(text: string): ThreadPrediction[] {
  const { trace, stepOf } = drawn(text)
  return [...predictThreads(trace, stepOf, OPTIONS)].filter(({ schedule }) => !schedule.lastFirst && !schedule.goesOn)
}

/** `main 2, worker 1 3`: who goes on up to which step. */
const says = (p: ThreadPrediction): string => p.schedule.steps.map((s) => `${s.task} ${s.upTo}${s.timesOut ? ' late' : ''}`).join(', ')
const rows = (steps: ThreadPrediction['observed']): string =>
  steps.map((s) => `${s.name} ${s.accesses.map((a) => `${a.access}${a.value === undefined ? '' : ` ${a.value}`}`).join(' ')}`).join(', ')
const of = (predictions: readonly ThreadPrediction[], pattern: string): ThreadPrediction[] =>
  predictions.filter((p) => p.pattern === pattern)

/** Two workers that do the same, one after the other, and main that looks at the end. */
const workers = (first: string, second: string, names: readonly [string, string] = ['worker 1', 'worker 2']): string =>
  `
main                              "${names[0]}"                    "${names[1]}"
fork("${names[0]}") @app.mjs:3:1 start
fork("${names[1]}") @app.mjs:3:1 start
                                  begin
${indent(first, 34)}
                                  end
                                                                 begin
${indent(second, 65)}
                                                                 end
join("${names[0]}")
join("${names[1]}")
`.replaceAll(' start', '')
const indent = (text: string, by: number): string =>
  text
    .split(';')
    .map((line) => ' '.repeat(by) + line.trim())
    .join('\n')

test('a look before an update is a check that the update relies on', () => {
  const part = (seen: number): string => `ra(x)=${seen} @app.mjs:8:3; ra(x)=${seen} @app.mjs:9:3; u(x)=${seen + 1} @app.mjs:9:3`
  const [first] = all(workers(part(0), part(1)))
  expect(first).toMatchObject({ kind: 'atomicity', pattern: 'check-then-act' })
  expect(first!.summary).toBe(
    'worker 2 can check x (app.mjs:8) before worker 1, which has checked it too, changes it (app.mjs:9), so that one of them acts on a check that no longer holds: it sees 0.',
  )
})

test('of two atomic stores the later one can come first', () => {
  const predictions = of(all(workers('wa(x)=1 @app.mjs:8:3', 'wa(x)=0 @app.mjs:9:3')), 'write order')
  expect(predictions.map(says)).toEqual(['main 2, worker 2 2, worker 1 2'])
  expect(predictions[0]!.summary).toBe(
    'worker 2 can write x (app.mjs:9) before worker 1 does (app.mjs:8), so that the value of worker 1 stays.',
  )
  expect(of(all(workers('wa(x)=1 @app.mjs:8:3', 'wa(x)=1 @app.mjs:9:3')), 'write order')).toEqual([])
})

describe('lost updates', () => {
  const plain = workers('r(x)=0 @app.mjs:9:3; w(x)=1 @app.mjs:9:3', 'r(x)=1 @app.mjs:9:3; w(x)=2 @app.mjs:9:3')

  test('a plain counter: the second one reads before the first has written', () => {
    const [first] = all(plain)
    expect(first).toMatchObject({ kind: 'atomicity', pattern: 'lost update', locations: ['x'], sites: ['app.mjs:9:3'], count: 1 })
    expect(says(first!)).toBe('main 2, worker 1 2, worker 2 2')
    expect(rows(first!.observed)).toBe('worker 1 read 0, worker 1 write 1, worker 2 read 1, worker 2 write 2')
    expect(rows(first!.failing)).toBe('worker 1 read 0, worker 2 read 0, worker 2 write, worker 1 write 1')
    expect(first!.summary).toBe(
      'worker 2 can read x (app.mjs:9) before worker 1 has written it back (app.mjs:9): it sees 0, and one of the two changes is lost.',
    )
    expect(first!.schedule.steps[2]).toEqual({
      task: 'worker 2',
      upTo: 2,
      does: 'read',
      site: 'app.mjs:9:3',
      note: 'worker 2 goes on up to its step 2: read at app.mjs:9',
    })
    expect(first!.schedule.kind).toBe('steps')
    expect(first!.observed[0]!.posted).toBe('app.mjs:3:1')
  })

  test('the race comes too, last, and says what the language promises', () => {
    const predictions = all(plain)
    expect(predictions.at(-1)).toMatchObject({ kind: 'data-race', pattern: 'data race' })
    // Against the recorded order: the read, then the write.
    expect(says(predictions.at(-1)!)).toBe('main 2, worker 1 2, worker 2 2, worker 1 3')
    expect(predictions.at(-1)!.why.join(' ')).toContain('the language promises little')
    expect(predictions[0]!.why.join(' ')).not.toContain('language')
  })

  test('load and store of Atomics: no race, but the same lost update', () => {
    const predictions = all(workers('ra(x)=0 @app.mjs:9:3; wa(x)=1 @app.mjs:10:3', 'ra(x)=1 @app.mjs:9:3; wa(x)=2 @app.mjs:10:3'))
    expect(predictions.map((p) => p.kind)).not.toContain('data-race')
    expect(predictions[0]).toMatchObject({ pattern: 'lost update', schedule: { steps: [{}, {}, { does: 'load' }] } })
  })

  test('an update of Atomics is never parted, and can lose nothing', () => {
    const predictions = all(workers('ra(x)=0 @app.mjs:9:3; u(x)=1 @app.mjs:9:3', 'ra(x)=1 @app.mjs:9:3; u(x)=2 @app.mjs:9:3'))
    expect(of(predictions, 'lost update')).toEqual([])
    for (const p of predictions) expect(p.schedule.steps.map((s) => s.does)).not.toContain('load')
  })

  test('a write between the read and the write of another: atomicity', () => {
    const predictions = all(workers('turn(m); r(x)=0 @app.mjs:9:3; w(x)=1 @app.mjs:10:3; turnEnd(m)', 'turn(m); w(x)=5 @app.mjs:20:3'))
    const [found] = predictions.filter((p) => p.kind === 'atomicity')
    expect(found).toMatchObject({ pattern: 'lost update' })
    expect(says(found!)).toBe('main 2, worker 1 2, worker 2 2, worker 1 3')
  })
})

describe('fingerprints', () => {
  const text = (names: readonly [string, string]): string =>
    workers('r(x)=0 @app.mjs:9:3; w(x)=1 @app.mjs:9:3', 'r(x)=1 @app.mjs:9:3; w(x)=2 @app.mjs:9:3', names)
  test('do not know numbers of threads', () => {
    const prints = (names: readonly [string, string]): string[] => all(text(names)).map((p) => p.fingerprint)
    expect(prints(['worker 1', 'worker 2'])).toEqual(prints(['worker 7', 'worker 9']))
    for (const print of prints(['worker 1', 'worker 2'])) expect(print).toMatch(/^[0-9a-f]{16}$/)
  })

  test('cells of one buffer are one cause, and the others come later', () => {
    const cells = (n: number, sees: number): string =>
      Array.from({ length: n }, (_, i) => `r(main#1[${i}])=${sees} @app.mjs:9:3; w(main#1[${i}])=${sees + 1} @app.mjs:9:3`).join(';')
    const predictions = of(all(workers(cells(4, 0), cells(4, 1))), 'lost update')
    expect(new Set(predictions.map((p) => p.fingerprint)).size).toBe(1)
    expect(predictions.map((p) => p.again)).toEqual([false, ...predictions.slice(1).map(() => true)])
    expect(predictions.length).toBeGreaterThan(1)
    expect(new Set(predictions.map(says)).size).toBe(predictions.length)
  })
})

describe('what is ordered stays silent', () => {
  test('a message hands over plain data', () => {
    expect(
      all(`
main                      "worker 1"
fork("worker 1")
w(x)=1 @app.mjs:5:1
notify("message main:1") @app.mjs:6:1
                          begin
                          wake("message main:1") @app.mjs:20:1
                          r(x)=1 @app.mjs:21:1
                          w(x)=2 @app.mjs:22:1
                          end
join("worker 1")
r(x)=2 @app.mjs:8:1
`),
    ).toEqual([])
  })

  test('a flag that was seen set hands over plain data; what was read of the flag before is no proof', () => {
    const predictions = all(`
main                      "worker 1"
fork("worker 1")
                          begin
w(x)=1 @app.mjs:5:1
wa(flag)=1 @app.mjs:6:1
                          ra(flag)=1 @app.mjs:20:1
                          r(x)=1 @app.mjs:21:1
                          end
join("worker 1")
`)
    expect(predictions.map((p) => `${p.pattern} ${p.locations[0]}`)).toEqual(['use before initialisation flag'])
  })
})

describe('waits', () => {
  const wait = (with_: string): string => `
main                                "worker 1"
fork("worker 1") @app.mjs:3:1
                                    begin
${with_}
acqS("waiters of x") @app.mjs:5:1
ra(x)=0 @app.mjs:5:1
relS("waiters of x") @app.mjs:5:1
                                    wa(x)=1 @app.mjs:9:1
                                    acq("waiters of x") @app.mjs:10:1
                                    notifyAll(x) @app.mjs:10:1
                                    rel("waiters of x") @app.mjs:10:1
wake(x) @app.mjs:5:1
ra(x)=1 @app.mjs:6:1
                                    end
join("worker 1")
`

  test('a wait with a time-out can time out, before the notify', () => {
    const [found, later, ...more] = of(all(wait('call("wait 300")')), 'time-out')
    expect(more).toEqual([])
    // Again with all but the notify done.
    expect(later!.again).toBe(true)
    expect(says(later!)).toBe('main 2, worker 1 2, main 3 late')
    expect(found).toMatchObject({ kind: 'order-violation', locations: ['x'] })
    expect(says(found!)).toBe('main 2, main 3 late')
    expect(found!.schedule.steps![1]).toMatchObject({ does: 'timed out', timesOut: true, site: 'app.mjs:5:1' })
    expect(found!.summary).toBe('The wait of main for x (app.mjs:5) can time out after 300 ms, before it is notified.')
    expect(rows(found!.failing)).toBe('main wait, main timed out, worker 1 notify')
  })

  test('one without does not, and its notify is not lost, since the value says so', () => {
    const predictions = all(wait(''))
    expect(of(predictions, 'time-out')).toEqual([])
    expect(of(predictions, 'lost wake-up')).toEqual([])
  })

  test('a notify that another notify came before: the witness has neither', () => {
    const predictions = all(`
main                                "worker 1"
fork("worker 1") @app.mjs:3:1
                                    begin
                                    acq("waiters of x") @app.mjs:8:1
                                    notifyAll(x) @app.mjs:8:1
                                    rel("waiters of x") @app.mjs:8:1
call("wait 300")
acqS("waiters of x") @app.mjs:5:1
ra(x)=0 @app.mjs:5:1
relS("waiters of x") @app.mjs:5:1
                                    acq("waiters of x") @app.mjs:10:1
                                    notifyAll(x) @app.mjs:10:1
                                    rel("waiters of x") @app.mjs:10:1
wake(x) @app.mjs:5:1
                                    end
join("worker 1")
`)
    const [found] = of(predictions, 'time-out')
    expect(says(found!)).toBe('main 2, main 3 late')
    // The notify is not tied to a value: it can come before the wait, which then never ends.
    const [lost] = of(predictions, 'lost wake-up')
    expect(lost).toMatchObject({ kind: 'deadlock', locations: ['x'] })
    expect(says(lost!)).toBe('main 1, worker 1 3, main 2')
    expect(lost!.summary).toContain('main can begin to wait for x (app.mjs:5) when the last notify has already come')
  })

  test('two that wait for one notify: the other one can be first', () => {
    const predictions = all(`
main                                "worker 1"                           "worker 2"
fork("worker 1") @app.mjs:3:1
fork("worker 2") @app.mjs:3:1
                                    begin
                                    acqS("waiters of x") @app.mjs:5:1
                                    ra(x)=0 @app.mjs:5:1
                                    relS("waiters of x") @app.mjs:5:1
                                                                         begin
                                                                         acqS("waiters of x") @app.mjs:15:1
                                                                         ra(x)=0 @app.mjs:15:1
                                                                         relS("waiters of x") @app.mjs:15:1
acq("waiters of x") @app.mjs:20:1
notify(x) @app.mjs:20:1
rel("waiters of x") @app.mjs:20:1
                                    wake(x) @app.mjs:5:1
                                    acq("waiters of x") @app.mjs:6:1
                                    notify(x) @app.mjs:6:1
                                    rel("waiters of x") @app.mjs:6:1
                                                                         wake(x) @app.mjs:15:1
`)
    const [found] = of(predictions, 'wake-up order')
    expect(says(found!)).toBe('main 2, worker 2 2, worker 1 2')
    expect(found!.summary).toBe(
      'worker 2 can begin to wait for x (app.mjs:15) before worker 1 does (app.mjs:5), so that it is the one that is woken.',
    )
  })
})

test('threads that nobody asked about go as far as they had come', () => {
  const [found] = of(
    all(`
main                  "worker 1"            "worker 2"            "worker 3"
fork("worker 1")
fork("worker 2")
fork("worker 3")
                                                                  begin
                                                                  w(y)=1 @app.mjs:30:1
                      begin
                      w(x)=1 @app.mjs:10:1
                                                                  w(y)=2 @app.mjs:31:1
                                            begin
                                            r(x)=1 @app.mjs:20:1
                                            r(y)=2 @app.mjs:21:1
`),
    'use before initialisation',
  )
  expect(found!.locations).toEqual(['x'])
  // worker 3 had written y once when worker 1 wrote x.
  expect(says(found!)).toBe('main 3, worker 3 2, worker 2 2')
})

describe('messages', () => {
  const text = (again: string): string => `
main                               "worker 1"                              "worker 2"
fork("worker 1") @app.mjs:3:1
fork("worker 2") @app.mjs:3:1
                                   begin
                                   notify("message worker 1:1") @app.mjs:20:1
wake("message worker 1:1") @app.mjs:6:1
${again}
                                                                           begin
                                                                           notify("message worker 2:1") @app.mjs:20:1
wake("message worker 2:1") @app.mjs:6:1
`
  test('two senders: the second message can come first', () => {
    const [found, ...more] = all(text(''))
    expect(more).toEqual([])
    expect(found).toMatchObject({ pattern: 'message order', locations: ['messages'] })
    expect(says(found!)).toBe('main 2, worker 2 2, main 3')
    expect(found!.schedule.steps![2]).toMatchObject({ does: 'receive', site: 'app.mjs:6:1' })
  })
})

test('what else its sender is heard of in between does not matter', () => {
  const predictions = all(`
main                               "worker 1"                              "worker 2"
fork("worker 1") @app.mjs:3:1
fork("worker 2") @app.mjs:4:1
                                   begin
                                   notify("message worker 1:1") @app.mjs:20:1
                                   end
wake("message worker 1:1") @app.mjs:6:1
join("worker 1")
                                                                           begin
                                                                           notify("message worker 2:1") @app.mjs:30:1
wake("message worker 2:1") @app.mjs:6:1
`)
  expect(predictions.map(says)).toEqual(['main 2, worker 2 2, main 3'])
})

test('a message can come before the end of another worker, which is then held before its last step', () => {
  const predictions = all(`
main                               "worker 1"                              "worker 2"
fork("worker 1") @app.mjs:3:1
fork("worker 2") @app.mjs:4:1
                                   begin
                                   w(x)=50 @app.mjs:20:1
                                   end
                                                                           begin
                                                                           notify("message worker 2:1") @app.mjs:30:1
join("worker 1")
wake("message worker 2:1") @app.mjs:6:1
r(x)=50 @app.mjs:7:1
`)
  expect(predictions.map((p) => p.pattern)).toEqual(['message order'])
  expect(says(predictions[0]!)).toBe('main 2, worker 2 2, main 3')
  // In the place of the end it hears of the message.
  expect(predictions[0]!.schedule.steps!.at(-1)).toMatchObject({ does: 'receive', site: 'app.mjs:6:1' })
  expect(predictions[0]!.summary).toBe('main can hear of worker 2 (app.mjs:30) before it hears of worker 1 (app.mjs:20).')
})

test('Atomics.waitAsync: begun after the last notify it never ends', () => {
  const [found] = of(
    all(`
main                                "worker 1"
fork("worker 1") @app.mjs:3:1
turn(main)
ra(loaded)=0 @app.mjs:5:1
acqS("waiters of bell") @app.mjs:6:1
relS("waiters of bell") @app.mjs:6:1
                                    begin
                                    wa(loaded)=1 @app.mjs:20:1
                                    acq("waiters of bell") @app.mjs:21:1
                                    notifyAll(bell) @app.mjs:21:1
                                    rel("waiters of bell") @app.mjs:21:1
turnEnd(main)
turn(promise)
wake(bell) @app.mjs:6:1
`),
    'lost wake-up',
  )
  expect(found).toMatchObject({ kind: 'deadlock', locations: ['bell'] })
  expect(says(found!)).toBe('main 2, worker 1 3, main 3')
})

describe('locks made by hand', () => {
  const lock = (cell: string, line: number): string => `ra(${cell})=0 @app.mjs:${line}:1; u(${cell})=1 @app.mjs:${line}:1`
  const unlock = (cell: string, line: number): string => `wa(${cell})=0 @app.mjs:${line}:1`
  const inversion = workers(
    [lock('main#1[0]', 10), lock('main#1[1]', 11), unlock('main#1[1]', 12), unlock('main#1[0]', 13)].join(';'),
    [lock('main#1[1]', 20), lock('main#1[0]', 21), unlock('main#1[0]', 22), unlock('main#1[1]', 23)].join(';'),
  )

  test('taken in opposite orders: a deadlock, up to where each holds one', () => {
    const [found] = of(all(inversion), 'deadlock')
    expect(found).toMatchObject({ kind: 'deadlock' })
    expect(found!.schedule.steps!.map((s) => `${s.task} ${s.upTo} ${s.does} ${s.site}`)).toEqual([
      'main 2 fork app.mjs:3:1',
      'worker 1 2 update app.mjs:10:1',
      'worker 2 2 update app.mjs:20:1',
    ])
    expect(found!.summary).toBe(
      'worker 1 waits for lock main#1[1] (app.mjs:11), which worker 2 holds; worker 2 waits for lock main#1[0] (app.mjs:21), which worker 1 holds: none of them can continue.',
    )
    expect(found!.why.join(' ')).toContain('worker 1 holds lock main#1[0]')
    expect(rows(found!.failing)).toBe('worker 1 lock, worker 2 lock, worker 1 lock, worker 2 lock')
  })

  test('a section under the lock is not parted, and what is not under it is, by name', () => {
    const guarded = (sees: number): string =>
      `${lock('L', 10)}; r(x)=${sees} @app.mjs:11:1; w(x)=${sees + 1} @app.mjs:11:1; ${unlock('L', 12)}`
    expect(of(all(workers(guarded(0), guarded(1))), 'lost update')).toEqual([])
    expect(of(all(workers(guarded(0), guarded(1))), 'data race')).toEqual([])
    const half = all(workers(guarded(0), `${lock('L', 10)}; ${unlock('L', 12)}; r(x)=1 @app.mjs:20:1; w(x)=2 @app.mjs:21:1`))
    const [found] = of(half, 'lost update')
    expect(found!.why[0]).toContain('worker 1 holds lock L')
  })

  test('who finds a lock taken: the holder stands right before it frees it', () => {
    const section = (line: number): string => `${lock('L', line)}; w(x)=${line} @app.mjs:${line + 1}:1; ${unlock('L', line + 2)}`
    const found = all(workers(section(10), section(20))).filter((p) => p.locations[0] === 'L')
    expect(found.map(says)).toContain('main 2, worker 1 3, worker 2 2')
  })

  test('attempts at a taken lock do not happen in the replay: steps after them are counted without them', () => {
    const predictions = all(`
main                           "worker 1"                       "worker 2"
fork("worker 1") @app.mjs:3:1
fork("worker 2") @app.mjs:3:1
                               begin
                               ra(L)=0 @app.mjs:10:1
                               u(L)=1 @app.mjs:10:1
                                                                begin
                                                                ra(L)=1 @app.mjs:10:1
                               wa(L)=0 @app.mjs:12:1
                               w(x)=1 @app.mjs:13:1
                                                                ra(L)=0 @app.mjs:10:1
                                                                u(L)=1 @app.mjs:10:1
                                                                wa(L)=0 @app.mjs:12:1
                                                                r(x)=1 @app.mjs:14:1
`)
    const [found] = of(predictions, 'use before initialisation')
    // Recorded, the read is step 5 of worker 2: begin, an attempt, take, release, read.
    expect(found!.schedule.steps!.at(-1)).toMatchObject({ task: 'worker 2', upTo: 4, does: 'read' })
  })
})

describe('whole steps', () => {
  test('every witness is in whole steps that the checker accepts', () => {
    const { trace, stepOf } = drawn(
      workers(
        'turn(a); r(x)=0 @app.mjs:9:3; ra(y)=0 @app.mjs:9:9; u(y)=1 @app.mjs:9:9; w(x)=1 @app.mjs:9:3',
        'turn(b); ra(y)=1 @app.mjs:8:1; u(y)=2 @app.mjs:8:1; r(x)=1 @app.mjs:9:3',
      ),
    )
    const predictions = [...predictThreads(trace, stepOf, OPTIONS)].filter(({ schedule }) => !schedule.lastFirst && !schedule.goesOn)
    expect(predictions.length).toBeGreaterThan(0)
    const checker = new Checker(trace, 'maximal')
    for (const { witness } of predictions) {
      const { order } = witness
      expect(checker.check({ next: [], before: [], include: [], without: [], either: [] }, order)).toBeUndefined()
      for (const e of order) {
        const last = e + 1 === trace.eventCount || stepOf[e + 1] !== stepOf[e] || trace.taskOf(e + 1) !== trace.taskOf(e)
        if (!last) expect(order[order.indexOf(e) + 1]).toBe(e + 1)
      }
    }
  })
})

test('limit and deadline: what is not looked at is counted', () => {
  const { trace, stepOf } = drawn(workers('r(x)=0 @app.mjs:9:3; w(x)=1 @app.mjs:9:3', 'r(x)=1 @app.mjs:9:3; w(x)=2 @app.mjs:9:3'))
  const limited = new CoverageRow('threads')
  expect([...predictThreads(trace, stepOf, { ...OPTIONS, limit: 1, coverage: limited })]).toHaveLength(1)
  expect(limited.facts).toMatchObject({ threads: 3, steps: 12, cells: 1 })
  expect(totalsOf(limited).feasible).toBe(1)
  expect(totalsOf(limited).notLookedAt).toBeGreaterThan(0)
  const late = new CoverageRow('threads')
  expect([...predictThreads(trace, stepOf, { ...OPTIONS, deadline: 0, coverage: late })]).toEqual([])
  expect(totalsOf(late).notLookedAt).toBeGreaterThan(0)
})
