/**
 * The shapes of what is stored of a prediction: schedules, the two orders, how a replay failed. Files of `.heddle` and `__schedules__` and the
 * documents of checks are read with them (../base/schema.ts), so that no code after the reader has to check a field.
 */
import {
  count,
  either,
  fields,
  flag,
  fitting,
  id,
  line,
  list,
  map,
  number,
  row,
  text,
  whole,
  word,
  type Fields,
  type Shape,
} from '../base/schema.ts'
import { SCHEDULE_VERSION } from './schedule.ts'

const LATEST_MS = 1e12
const LONGEST_MS = 3_600_000
const MOST_TIMES = 1_000_000
/** The longest word of a command line that Linux takes. */
const LONGEST_WORD = 128 << 10

/** Milliseconds since a start. */
export const WHEN: Shape = number(-LATEST_MS, LATEST_MS)
export const TEXTS: Shape = list(text())
/** Names that programs and people give. */
export const NAME: Shape = text(4096)
const NTH = whole(0, Number.MAX_SAFE_INTEGER)

/** Words for a system call: they end at a zero byte. */
const ARGUMENT = fitting(/^[^\0]*$/, `a word of at most ${LONGEST_WORD} characters without a zero byte`, LONGEST_WORD)
export const COMMAND: Shape = list(ARGUMENT, 10_000, 1)
export const TIMERS: Shape = word('due', 'latency')

const UNIT = fields({ label: text(), nth: NTH })
const DELAY = either('do', {
  hold: fields({ do: word('hold'), what: UNIT, at: word('start', 'finish'), until: UNIT, note: text() }),
  stall: fields({ do: word('stall'), after: text(), ms: number(0, LATEST_MS), note: text() }),
  waylay: fields({
    do: word('waylay'),
    kind: line(),
    posted: text(),
    until: fields({ call: text(), at: text() }),
    most: whole(0, MOST_TIMES),
    note: text(),
  }),
})
const STEP = fields({
  task: line(200),
  upTo: whole(1, Number.MAX_SAFE_INTEGER),
  does: line(200),
  site: text(),
  '?timesOut': flag,
  note: text(),
})
/** As the native runtime is told it: a path and an address, and behind it the address of the caller where it is in a library. */
// oxlint-disable-next-line no-control-regex
const PLACE = fitting(/^[^\u0000-\u001f]*\+0x[0-9a-f]{1,16}(?:@[0-9a-f]{1,16})?$/i, 'a place (FILE+0xHEX)')
const PLACES = list(PLACE, 64)
const HOLD = fields({
  does: line(200),
  at: text(),
  until: fields({ does: line(200), at: text() }),
  most: whole(0, MOST_TIMES),
  ms: whole(0, LONGEST_MS),
  from: whole(0, Number.MAX_SAFE_INTEGER),
  places: fields({ held: PLACES, until: PLACES, kinds: row(whole(0, 255), whole(0, 255)) }),
  note: text(),
})

const HEAD: Fields = { heddle: word(SCHEDULE_VERSION), command: COMMAND, timers: TIMERS, '?process': line(200) }
export const SCHEDULE: Shape = either('kind', {
  plain: fields({ ...HEAD, kind: word('plain') }),
  delays: fields({
    ...HEAD,
    kind: word('delays'),
    delays: list(DELAY, 10_000),
    horizon: number(-LATEST_MS, LATEST_MS),
    // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
    expect: fields({ first: UNIT, then: UNIT }),
  }),
  steps: fields({
    ...HEAD,
    kind: word('steps'),
    steps: list(STEP),
    '?lastFirst': flag,
    '?goesOn': flag,
    '?turns': line(200),
    '?sleeps': TEXTS,
  }),
  holds: fields({ ...HEAD, kind: word('holds'), holds: list(HOLD, 1000) }),
})

const ACCESS = fields({ access: line(200), '?verb': NAME, location: text(), '?value': text(), site: text() })
export const ORDER_ROW: Shape = fields({
  turn: UNIT,
  name: text(),
  chain: text(),
  '?offLoop': flag,
  posted: text(),
  at: WHEN,
  accesses: list(ACCESS),
})

const WRITE = fields({ location: text(), value: text(), site: text() })
export const BRANCH: Fields = {
  kind: line(200),
  site: text(),
  '?task': NAME,
  '?chain': text(),
  '?nth': NTH,
  '?recorded': text(),
  '?flipped': text(),
  '?saw': WRITE,
  '?sees': WRITE,
}
export const BRANCH_CLASS: Fields = { class: word('harmful', 'unclear', 'ad hoc synchronization', 'benign'), why: text() }

const CONFIRM = word('violation', 'failure')
const BINDING = map(text(), 1000)
export const PROPERTY: Fields = {
  name: NAME,
  '?text': text(),
  '?confirm': CONFIRM,
  '?binding': BINDING,
  '?state': text(),
  '?operation': text(),
  '?bothOrders': flag,
  '?fromBegin': flag,
  '?recorded': flag,
}
export const TEST: Fields = { file: text(), name: text(), '?nth': whole(1, MOST_TIMES), '?process': word('top', 'inner') }

/** What a schedule is kept with. A schedule that came alone has none of it. */
export const SAVED: Fields = {
  '?fingerprint': id,
  '?kind': line(200),
  '?pattern': NAME,
  '?property': fields(PROPERTY),
  '?branch': fields(BRANCH),
  '?test': fields(TEST),
  '?summary': text(),
  '?sites': TEXTS,
  '?locations': TEXTS,
  '?observed': list(ORDER_ROW),
  '?failing': list(ORDER_ROW),
  '?why': TEXTS,
  '?count': count,
}

export const STATUS: Shape = word('FAILED', 'REPRODUCED', 'PREDICTED', 'DIVERGED', 'NOT REACHED', 'TIMED OUT', 'NEEDS DELAY', 'IGNORED')
const TRIAL = word('failed', 'passed', 'unclear', 'not tried')
/** How a cause was put to the test (src/confirm/cause.ts). */
export const PROOF: Shape = word('cause', 'one way', 'needed', 'not proved')
export const TRIED: Fields = {
  asRecorded: TRIAL,
  alone: TRIAL,
  '?other': text(),
  shrunk: fields({ before: count, after: count, replays: count, least: flag }),
}
export const COST: Fields = { '?needs': text(), '?ms': number(0, LATEST_MS) }
export const REPLAYS: Shape = fields({ runs: count, failures: count })
export const FAILURE: Shape = fields({
  how: word('exception', 'rejection', 'test', 'exit code', 'signal', 'hang', 'violation'),
  message: text(),
  detail: TEXTS,
  shape: text(),
})
export const VIOLATION: Shape = fields({
  property: NAME,
  kind: word('property', 'typestate'),
  confirm: CONFIRM,
  '?rule': text(),
  says: text(),
  binding: BINDING,
  '?state': text(),
  events: list(
    fields({
      name: NAME,
      does: NAME,
      '?verb': NAME,
      what: text(),
      object: text(),
      stack: TEXTS,
      turn: text(),
      task: text(),
    }),
  ),
  shape: text(),
})
