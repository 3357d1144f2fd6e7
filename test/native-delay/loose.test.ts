/** From the two orders of a prediction to which thread is delayed at which site, and to the lines that the runtime reads. */
import { describe, expect, it } from 'vitest'
import { commonLock } from '../../src/frontends/threads/common-lock.ts'
import { delaysOf } from '../../src/frontends/native/delay.ts'
import { kindOf } from '../../src/frontends/native/kinds.ts'
import { looseOf, type Places } from '../../src/frontends/threads/loosen.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Loosened } from '../../src/frontends/contract.ts'
import { SCHEDULE_VERSION, type PlaceHold, type StepSchedule } from '../../src/schedule/schedule.ts'
import { readSchedule } from '../../src/schedule/read.ts'
import { parseText } from '../../src/trace/text.ts'

const row = (label: string, nth: number, access: string, site: string): OrderRow => ({
  turn: { label, nth },
  name: label,
  chain: label,
  offLoop: false,
  posted: '',
  at: nth,
  accesses: [{ access, location: '', site }],
})

/** Steps are events, numbered from 1 in their thread. */
const placesIn = (text: string, pcs: Places['pcs']): Places => {
  const trace = parseText(text)
  const count = Int32Array.from({ length: trace.taskCount }, (_, t) => trace.taskStart[t + 1]! - trace.taskStart[t]!)
  return { trace, steps: { stepOf: Int32Array.from(trace.op, (_, e) => e - trace.taskStart[trace.taskOf(e)]! + 1), count }, pcs, kindOf }
}

const PLACES = placesIn(
  `
  main                           "thread 1"
                                 r(y) @"p.c:10 use"
                                 r(x) @"p.c:10 use"
                                 r(x) @"p.c:10 use"
  w(x) @"p.c:30 set < p.c:5 all"
  `,
  new Map([
    ['p.c:10 use', ['/x/p+0x11a0', '/x/p+0x11b4']],
    ['p.c:30 set < p.c:5 all', ['/x/p+0x1300']],
  ]),
)
const A = row('thread 1', 2, 'read', 'p.c:10 use')
const B = row('thread 1', 3, 'read', 'p.c:10 use')
const C = row('main', 1, 'write', 'p.c:30 set')

const SCHEDULE: StepSchedule = {
  heddle: SCHEDULE_VERSION,
  command: ['./p'],
  timers: 'due',
  kind: 'steps',
  steps: [{ task: 'main', upTo: 1, does: 'write', site: 'p.c:30 set', note: '' }],
  lastFirst: true,
}

const predicted = (observed: Loosened['observed'], failing: Loosened['failing'], kind = 'order-violation'): Loosened => ({
  kind,
  schedule: SCHEDULE,
  observed,
  failing,
})

const lines = (prediction: Loosened, places = PLACES): string[] => delaysOf(looseOf(prediction, places, 100)?.holds ?? [])

describe('who is held', () => {
  it('what came first in the recorded run waits for what came second', () => {
    const loose = looseOf(predicted([A, C], [C, A]), PLACES, 100)!
    const { holds, ...head } = loose
    expect(head).toEqual({ heddle: SCHEDULE_VERSION, command: ['./p'], timers: 'due', kind: 'holds' })
    expect(holds).toEqual([
      {
        does: 'read',
        at: 'p.c:10 use',
        until: { does: 'write', at: 'p.c:30 set' },
        most: 10,
        ms: 300,
        from: 1,
        places: { held: ['/x/p+0x11a0', '/x/p+0x11b4'], until: ['/x/p+0x1300'], kinds: [1, 2] },
        note: 'A thread that reaches read at p.c:10 use waits until another thread has reached write at p.c:30 set',
      },
    ])
    expect(delaysOf(holds)).toEqual(['11a0,11b4 1 1300 2 10 300 1'])
  })

  it('one step between two of another thread: the second of them waits, where the recorded run had it last', () => {
    expect(lines(predicted([A, B, C], [A, C, B]))).toEqual(['11a0,11b4 1 1300 2 10 300 2'])
  })

  it('where the recorded run had it first it waits, too', () => {
    expect(lines(predicted([C, A, B], [A, C, B]))).toEqual(['1300 2 11a0,11b4 1 10 300 1', '11a0,11b4 1 1300 2 10 300 2'])
  })

  it('nobody in a deadlock, nor where a wait times out, nor where a place is not known', () => {
    expect(lines(predicted([A, C], [C, A], 'deadlock'))).toEqual([])
    const schedule = { ...SCHEDULE, steps: SCHEDULE.steps.map((step) => ({ ...step, timesOut: true })) }
    expect(lines({ ...predicted([A, C], [C, A]), schedule })).toEqual([])
    expect(lines(predicted([A, C], [C, A]), { ...PLACES, pcs: new Map() })).toEqual([])
    expect(lines(predicted([A, C], [C, row('thread 1', 9, 'read', 'p.c:10 use')]))).toEqual([])
    expect(lines(predicted([A, C], [A, C]))).toEqual([])
  })

  it('a lock made by hand is a record of another kind', () => {
    const taken = row('thread 1', 2, 'lock', 'p.c:10 use')
    expect(lines(predicted([taken, C], [C, taken]))).toEqual(['11a0,11b4 0 1300 2 10 300 1'])
  })

  it('is held longer in longer runs, and less often', () => {
    const [held] = looseOf(predicted([A, C], [C, A]), PLACES, 5000)!.holds
    expect(held).toMatchObject({ most: 2, ms: 1500 })
  })

  it('nobody where the order is the recorded one: there is no such schedule', () => {
    const all = [predicted([A, C], [C, A]), predicted([A, C], [A, C])].map((one) => looseOf(one, PLACES, 100))
    expect(all.map((loose) => loose?.kind)).toEqual(['holds', undefined])
  })
})

describe('two steps under one lock', () => {
  const places = placesIn(
    `
    main                   "thread 1"
    acq(l) @m1
    acq(k) @m2
    rel(k) @m3
    acq(l) @m4
    r(x) @m5
    rel(l) @m6
    rel(l) @m7
                           acq(k) @t1
                           acq(l) @t2
                           acq(n) @t3
                           w(x) @t4
                           rel(n) @t5
                           rel(l) @t6
                           w(x) @t7
                           rel(k) @t8
    `,
    new Map([
      ['m1', ['/x/p+0x1']],
      ['t6', ['/x/p+0x2']],
    ]),
  )
  const { trace } = places
  const around = (held: readonly [string, number], until: readonly [string, number]): string[] | undefined => {
    const [one, other] = [held, until].map(([label, nth]) => ({ label, nth }))
    const found = commonLock(places, one!, other!)
    return found && [trace.siteName(found.acquire), trace.siteName(found.release)]
  }

  it('from the first time it is taken to where the other gives it back', () => {
    expect(around(['main', 5], ['thread 1', 4])).toEqual(['m1', 't6'])
    expect(around(['thread 1', 4], ['main', 5])).toEqual(['t2', 'm7'])
  })

  it('none where one of the two has it no more, or there is no such step', () => {
    expect(around(['main', 5], ['thread 1', 7])).toBeUndefined()
    expect(around(['main', 50], ['thread 1', 4])).toBeUndefined()
    expect(around(['thread 9', 1], ['thread 1', 4])).toBeUndefined()
  })

  it('who is held stands before the lock', () => {
    const read = row('main', 5, 'read', 'm5')
    const write = row('thread 1', 4, 'write', 't4')
    const loose = looseOf(predicted([read, write], [write, read]), places, 100)!
    expect(loose.holds[0]).toMatchObject({ does: 'lock', at: 'm1', until: { does: 'unlock', at: 't6' } })
    expect(delaysOf(loose.holds)).toEqual(['1 20 2 21 10 300 1'])
  })
})

describe('lines of a schedule from a file', () => {
  const hold: PlaceHold = {
    does: 'lock',
    at: 'p.c:10 use',
    until: { does: 'destroy lock', at: 'p.c:30 main' },
    most: 4,
    ms: 300,
    from: 2,
    places: { held: ['/x/p+0x10'], until: ['/x/p+0x20'], kinds: [20, 26] },
    note: '',
  }
  const nowhere = '0 0 0 0 0 0 0'
  const schedule = { heddle: SCHEDULE_VERSION, command: ['./p'], timers: 'due', kind: 'holds' }

  it('hold nobody where there are no places, and keep their number', () => {
    const no = { ...hold, places: { ...hold.places, until: [] } }
    expect(delaysOf([no, hold, { ...no, places: { ...hold.places, held: ['somewhere'] } }])).toEqual([
      nowhere,
      '10 20 20 26 4 300 2',
      nowhere,
    ])
  })

  it('cannot bring other lines in', () => {
    const evil = { ...hold, places: { ...hold.places, until: ['/x\n+0x20', 'p+0x21\nmode plain'] } }
    expect(delaysOf([evil])).toEqual(['10 20 20 26 4 300 2'])
    for (const wrong of [{ held: 'x\n' }, { held: [{}] }, { kinds: 'x' }, { kinds: [1, '2\n'] }]) {
      const one = { ...hold, places: { ...hold.places, ...wrong } }
      expect(readSchedule({ ...schedule, holds: [one] }), JSON.stringify(wrong)).toEqual({
        wrong: expect.stringContaining('"holds[0]') as string,
      })
    }
    for (const wrong of [{ ms: '3\n' }, { from: undefined }, { most: 0.5 }])
      expect(readSchedule({ ...schedule, holds: [{ ...hold, ...wrong }] }), JSON.stringify(wrong)).toEqual({
        wrong: expect.stringContaining('"holds[0]') as string,
      })
  })
})
