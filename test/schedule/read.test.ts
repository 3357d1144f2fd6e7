/** The reader of schedules: what it takes, and every sentence with which it refuses. */
import { describe, expect, test } from 'vitest'
import { readSchedule } from '../../src/schedule/read.ts'
import {
  instructionsOf,
  ofThreads,
  plainSchedule,
  SCHEDULE_VERSION,
  type DelaySchedule,
  type HoldSchedule,
  type PlaceHold,
  type StepSchedule,
} from '../../src/schedule/schedule.ts'

const HEAD = { heddle: SCHEDULE_VERSION, command: ['node', 'app.js'], timers: 'due' } as const
const [A, B] = [
  { label: 'a', nth: 1 },
  { label: 'b', nth: 2 },
]
const HOLD = { do: 'hold', what: A, at: 'start', until: B, note: 'hold a' } as const
const STALL = { do: 'stall', after: 'a', ms: 5, note: '' } as const
const WAYLAY = { do: 'waylay', kind: 'fs', posted: 'app.js:1:1', until: { call: 'close', at: 'app.js:2:1' }, most: 3, note: '' } as const
const DELAYS: DelaySchedule = {
  ...HEAD,
  kind: 'delays',
  delays: [HOLD, STALL, WAYLAY],
  horizon: 20,
  // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
  expect: { first: B, then: A },
}
const STEP = { task: 'worker 1', upTo: 2, does: 'read', site: 'app.js:3:1', note: '' }
const STEPS: StepSchedule = { ...HEAD, kind: 'steps', steps: [STEP, { ...STEP, timesOut: true }], lastFirst: true, sleeps: ['app.js:9:1'] }
const PLACE: PlaceHold = {
  does: 'read',
  at: 'p.c:1 f',
  until: { does: 'free', at: 'p.c:2 g' },
  most: 3,
  ms: 300,
  from: 1,
  places: { held: ['/p+0x1'], until: ['/p+0x2'], kinds: [1, 61] },
  note: '',
}
const HOLDS: HoldSchedule = { ...HEAD, kind: 'holds', holds: [PLACE] }

test.each([['plain', plainSchedule(HEAD)] as const, ['delays', DELAYS] as const, ['steps', STEPS] as const, ['holds', HOLDS] as const])(
  'a schedule of the kind %s comes back as it was written',
  (kind, schedule) => {
    expect(readSchedule(JSON.parse(JSON.stringify(schedule)))).toEqual(schedule)
    expect(schedule.kind).toBe(kind)
    expect(ofThreads(schedule)).toBe(kind === 'steps' || kind === 'holds')
    expect(instructionsOf(schedule)).toHaveLength({ plain: 0, delays: 3, steps: 2, holds: 1 }[kind])
  },
)

describe('what is refused', () => {
  const wrongOf = (json: unknown): string => (readSchedule(json) as { wrong: string }).wrong

  test.each([
    [null, 'it is not a JSON object'],
    [[], 'it is not a JSON object'],
    ['text', 'it is not a JSON object'],
    [{}, 'it has no "heddle" version'],
    [{ ...DELAYS, command: undefined }, '"command" is missing'],
    [{ ...DELAYS, command: [] }, '"command" is not a list of 1 to 10000'],
    [{ ...DELAYS, command: ['node', 1] }, '"command[1]" is not a word of at most 131072 characters without a zero byte'],
    [{ ...DELAYS, command: ['node', 'a\0b'] }, '"command[1]" is not a word of at most 131072 characters without a zero byte'],
    [{ ...DELAYS, timers: 'never' }, '"timers" is not one of due, latency'],
    [{ ...DELAYS, kind: 'other' }, '"kind" is not one of plain, delays, steps, holds'],
    [{ ...DELAYS, kind: '__proto__' }, '"kind" is not one of plain, delays, steps, holds'],
    [{ ...HEAD }, '"kind" is missing'],
    [{ ...DELAYS, horizon: '20' }, '"horizon" is not a number from -1000000000000 to 1000000000000'],
    [{ ...DELAYS, horizon: 1e300 }, '"horizon" is not a number from -1000000000000 to 1000000000000'],
    [{ ...DELAYS, expect: undefined }, '"expect" is missing'],
    [{ ...DELAYS, expect: { first: B } }, '"expect.then" is missing'],
    [{ ...DELAYS, delays: {} }, '"delays" is not a list of at most 10000'],
    [{ ...STEPS, steps: 7 }, '"steps" is not a list of at most 1000000'],
    [{ ...STEPS, sleeps: 'app.js:9:1' }, '"sleeps" is not a list of at most 1000000'],
    [{ ...STEPS, sleeps: [1] }, '"sleeps[0]" is not a text of at most 16777216 characters'],
    [{ ...STEPS, lastFirst: 'yes' }, '"lastFirst" is not true or false'],
    [{ ...HOLDS, holds: 'all' }, '"holds" is not a list of at most 1000'],
    [{ ...STEPS, process: 'child\u001b[2J' }, '"process" is not one line of at most 200 characters without control characters'],
  ])('%j: %s', (json, wrong) => expect(wrongOf(json)).toBe(wrong))

  test.each([
    null,
    {},
    { ...HOLD, note: undefined },
    { ...HOLD, do: 'wait' },
    { ...HOLD, at: 'middle' },
    { ...HOLD, what: { label: 'a' } },
    { ...HOLD, until: 'b' },
    { ...STALL, after: 1 },
    { ...STALL, ms: '5' },
    { ...WAYLAY, kind: 1 },
    { ...WAYLAY, posted: undefined },
    { ...WAYLAY, until: 'close' },
    { ...WAYLAY, until: { call: 'close' } },
    { ...WAYLAY, most: 1.5 },
  ])('no delay: %j', (bad) => expect(wrongOf({ ...DELAYS, delays: [HOLD, bad] })).toMatch(/^"delays\[1\]/))

  test.each([
    null,
    {},
    { ...STEP, upTo: 0 },
    { ...STEP, upTo: 1.5 },
    { ...STEP, task: 1 },
    { ...STEP, does: undefined },
    { ...STEP, site: null },
    { ...STEP, note: 3 },
    { ...STEP, timesOut: 'yes' },
  ])('no step: %j', (bad) => expect(wrongOf({ ...STEPS, steps: [STEP, bad] })).toMatch(/^"steps\[1\]/))

  test.each([
    null,
    { ...PLACE, does: 1 },
    { ...PLACE, at: undefined },
    { ...PLACE, until: undefined },
    { ...PLACE, until: { does: 'free' } },
    { ...PLACE, most: '3' },
    { ...PLACE, ms: undefined },
    { ...PLACE, from: 0.5 },
    { ...PLACE, note: undefined },
    { ...PLACE, places: undefined },
    { ...PLACE, places: { ...PLACE.places, held: '/p+0x1' } },
    { ...PLACE, places: { ...PLACE.places, until: [1] } },
    { ...PLACE, places: { ...PLACE.places, until: ['/p 1 2 3'] } },
    { ...PLACE, ms: 1e9 },
    { ...PLACE, places: { ...PLACE.places, kinds: [1] } },
    { ...PLACE, places: { ...PLACE.places, kinds: [1, '2'] } },
  ])('no hold of a thread: %j', (bad) => expect(wrongOf({ ...HOLDS, holds: [PLACE, bad] })).toMatch(/^"holds\[1\]/))

  test.each([0, 3, 99, '2', null])('version %j is not known, and is named', (version) =>
    expect(readSchedule({ ...DELAYS, heddle: version })).toEqual({ wrong: 'its version is another', version }),
  )
})
