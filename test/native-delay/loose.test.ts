/** From the two orders of a prediction to who is held where until when, and to the lines that the runtime reads. */
import { describe, expect, it } from 'vitest'
import { commonLock } from '../../src/frontends/native/common-lock.ts'
import { delaysOf, looseOf, withLoose, type Ordered, type Places } from '../../src/frontends/native/delay.ts'
import type { Schedule, Waylay } from '../../src/schedule/schedule.ts'
import { parseText } from '../../src/trace/text.ts'

const row = (label: string, nth: number, access: string, site: string) => ({ turn: { label, nth }, accesses: [{ access, site }] })

/** Steps are events, numbered from 1 in their thread. */
const placesIn = (text: string, pcs: Places['pcs']): Places => {
  const trace = parseText(text)
  const count = Int32Array.from({ length: trace.taskCount }, (_, t) => trace.taskStart[t + 1]! - trace.taskStart[t]!)
  return { trace, steps: { stepOf: Int32Array.from(trace.op, (_, e) => e - trace.taskStart[trace.taskOf(e)]! + 1), count }, pcs }
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

const SCHEDULE: Schedule = {
  heddle: 1,
  command: ['./p'],
  timers: 'due',
  instructions: [],
  steps: [{ task: 'main', upTo: 1, does: 'write', site: 'p.c:30 set', note: '' }],
  lastFirst: true,
  horizon: 0,
  // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
  expect: { first: { label: 'main', nth: 1 }, then: { label: 'thread 1', nth: 2 } },
}

const predicted = (observed: Ordered['observed'], failing: Ordered['failing'], kind = 'order-violation'): Ordered => ({
  kind,
  schedule: SCHEDULE,
  observed,
  failing,
})

const lines = (prediction: Ordered, places = PLACES): string[] => delaysOf(looseOf(prediction, places, 100)?.instructions ?? [])

describe('who is held', () => {
  it('what came first in the recorded run waits for what came second', () => {
    const loose = looseOf(predicted([A, C], [C, A]), PLACES, 100)!
    expect(loose.steps).toBeUndefined()
    expect(loose.lastFirst).toBeUndefined()
    expect(loose.instructions).toEqual([
      {
        do: 'waylay',
        kind: 'read',
        posted: 'p.c:10 use',
        until: { call: 'write', at: 'p.c:30 set' },
        most: 10,
        places: { held: ['/x/p+0x11a0', '/x/p+0x11b4'], until: ['/x/p+0x1300'], kinds: [1, 2], ms: 300, from: 1 },
        note: 'Who comes to read at p.c:10 use waits until another thread has come to write at p.c:30 set',
      },
    ])
    expect(delaysOf(loose.instructions)).toEqual(['11a0,11b4 1 1300 2 10 300 1'])
  })

  it('one step between two of another thread: the second of them waits, where the recorded run had it last', () => {
    expect(lines(predicted([A, B, C], [A, C, B]))).toEqual(['11a0,11b4 1 1300 2 10 300 2'])
  })

  it('where the recorded run had it first it waits, too', () => {
    expect(lines(predicted([C, A, B], [A, C, B]))).toEqual(['1300 2 11a0,11b4 1 10 300 1', '11a0,11b4 1 1300 2 10 300 2'])
  })

  it('nobody in a deadlock, nor where a wait times out, nor where a place is not known', () => {
    expect(lines(predicted([A, C], [C, A], 'deadlock'))).toEqual([])
    const schedule = { ...SCHEDULE, steps: SCHEDULE.steps!.map((step) => ({ ...step, timesOut: true })) }
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
    const [held] = looseOf(predicted([A, C], [C, A]), PLACES, 5000)!.instructions as Waylay[]
    expect(held).toMatchObject({ most: 2, places: { ms: 1500 } })
  })

  it('predictions go through, with it or without', () => {
    const all = [...withLoose([predicted([A, C], [C, A]), predicted([A, C], [A, C])], PLACES, 100)]
    expect(all.map((one) => 'loose' in one)).toEqual([true, false])
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
    expect(loose.instructions[0]).toMatchObject({ kind: 'lock', posted: 'm1', until: { call: 'unlock', at: 't6' } })
    expect(delaysOf(loose.instructions)).toEqual(['1 20 2 21 10 300 1'])
  })
})

describe('lines of a schedule from a file', () => {
  const waylay: Waylay = {
    do: 'waylay',
    kind: 'lock',
    posted: 'p.c:10 use',
    until: { call: 'destroy lock', at: 'p.c:30 main' },
    most: 4,
    note: '',
  }
  const nowhere = '0 0 0 0 0 0 0'

  it('hold nobody where there are no places, and keep their number', () => {
    expect(delaysOf([waylay, { do: 'stall', after: 'x', ms: 1, note: '' }])).toEqual([nowhere, nowhere])
  })

  it('cannot bring other lines in', () => {
    const places = { held: ['/x/p+0x10'], until: ['/x\n+0x20', 'p+0x21\nmode plain'], kinds: [20, 26] as const, ms: 300, from: 2 }
    expect(delaysOf([{ ...waylay, places }])).toEqual(['10 20 20 26 4 300 2'])
    for (const wrong of [
      { held: 'x\n' },
      { held: [{}] },
      { until: [] },
      { kinds: 'x' },
      { kinds: [1, '2\n'] },
      { ms: '3\n' },
      { from: undefined },
    ]) {
      const one = { ...waylay, places: { ...places, ...wrong } } as unknown as Waylay
      expect(delaysOf([one]), JSON.stringify(wrong)).toEqual([nowhere])
    }
  })
})
