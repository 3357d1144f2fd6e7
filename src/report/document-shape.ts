/** The shape of the result of a check (document.ts), as it is read from a file. docs/finding.schema.json says the same for others, without ranges. */
import { count, fields, flag, id, line, list, map, number, row, text, whole, word, type Fields, type Shape } from '../base/schema.ts'
import {
  BRANCH,
  BRANCH_CLASS,
  COST,
  FAILURE,
  NAME,
  ORDER_ROW,
  PROPERTY,
  PROOF,
  REPLAYS,
  TRIED,
  SCHEDULE,
  STATUS,
  TEST,
  TEXTS,
  TIMERS,
  VIOLATION,
  WHEN,
} from '../schedule/shapes.ts'
import { DOCUMENT_SCHEMA } from './document.ts'

const MOST_INDEX = 2 ** 31 - 1
const INDEX = whole(-1, MOST_INDEX)
const INDICES = list(INDEX, 10_000_000)
const RUN = fields({
  blocks: list(fields({ lane: INDEX, name: INDEX, from: INDEX, to: INDEX, at: WHEN })),
  does: INDICES,
  what: INDICES,
  value: INDICES,
  site: INDICES,
  same: INDICES,
  arrows: list(fields({ kind: NAME, from: INDEX, to: INDEX, why: INDEX })),
  spans: list(fields({ lane: INDEX, lock: INDEX, from: INDEX, to: INDEX })),
  flipped: INDICES,
  '?rows': INDICES,
  cut: fields({ before: count, after: count }),
})
const PICTURE = fields({
  strings: TEXTS,
  lanes: list(fields({ name: INDEX, kind: word('chain', 'thread', 'outside'), from: INDEX }), 100_000),
  observed: RUN,
  failing: RUN,
  '?failingIs': word('replay', 'prediction'),
  '?verbs': map(NAME, 1000),
})

const optional = (of: Fields): Fields => Object.fromEntries(Object.entries(of).map(([name, shape]) => [`?${name.replace('?', '')}`, shape]))

const OTHER: Fields = {
  fingerprint: id,
  kind: line(200),
  pattern: NAME,
  label: NAME,
  summary: text(),
  sites: TEXTS,
  locations: TEXTS,
  '?branch': fields({ ...BRANCH, ...optional(BRANCH_CLASS) }),
}
const POSITION = whole(0, MOST_INDEX)
const POSITIONS = list(POSITION, 100_000_000)
/** A task, and a number of its events. */
const SPANS = list(row(text(), count), 100_000_000)
/** Of a trace alone: trace-finding.ts. */
const OF_TRACE: Fields = {
  '?cause': text(),
  '?region': text(),
  '?events': POSITIONS,
  '?tasks': TEXTS,
  '?ops': TEXTS,
  '?location': text(),
  '?signal': text(),
  '?locks': TEXTS,
  '?held': list(TEXTS),
  '?candidates': count,
  '?stage': NAME,
  '?witness': fields({ tasks: SPANS, kept: count, moved: SPANS, '?order': POSITIONS, next: POSITIONS }),
  '?interval': fields({
    from: count,
    to: count,
    tactic: word('whole', 'cut'),
    possible: flag,
    '?reason': text(),
  }),
}
const FINDING = fields({
  ...OTHER,
  ...OF_TRACE,
  status: STATUS,
  replays: REPLAYS,
  '?failure': FAILURE,
  '?ordered': flag,
  '?violation': VIOLATION,
  '?property': fields({ ...PROPERTY, '?names': TEXTS, '?says': text() }),
  '?note': text(),
  '?proof': fields({ is: PROOF, ...TRIED, ...COST }),
  '?earlier': flag,
  '?since': word('new', 'known'),
  '?count': count,
  '?test': fields(TEST),
  '?picture': PICTURE,
  '?schedule': SCHEDULE,
  '?also': list(fields(OTHER), 100_000),
  observed: list(ORDER_ROW),
  failing: list(ORDER_ROW),
  why: TEXTS,
})

const COUNTS = map(count, 10_000)
const ROW = fields({
  predictor: NAME,
  facts: COUNTS,
  causes: count,
  candidates: count,
  feasible: COUNTS,
  infeasible: COUNTS,
  unknown: COUNTS,
  grouped: count,
  notLookedAt: COUNTS,
  atLeast: flag,
  '?protected': list(fields({ location: text(), by: text(), candidates: count }), 1000),
  '?tree': list(fields({ '?from': count, by: text(), ended: word('passed', 'failed', 'stuck') }), 10_000),
})
const SECONDS = number(0, 1e9)

export const DOCUMENT: Shape = fields({
  heddle: line(200),
  schema: word(DOCUMENT_SCHEMA),
  complete: flag,
  command: TEXTS,
  root: text(),
  started: line(200),
  findings: list(FINDING, 100_000),
  recorded: fields({
    trace: text(),
    runtime: NAME,
    milliseconds: count,
    stopped: flag,
    events: count,
    modules: count,
    skipped: list(fields({ file: text(), why: text() })),
    '?skippedPercent': whole(0, 100),
    '?map': list(fields({ part: text(), observed: count, skipped: count, events: count, '?why': text() }), 1000),
    '?timers': TIMERS,
  }),
  '?trace': fields({
    source: text(),
    events: count,
    tasks: count,
    order: word('global', 'task'),
    '?truncated': text(),
    model: word('sync', 'data', 'maximal'),
    decider: NAME,
  }),
  coverage: list(ROW, 1000),
  replays: count,
  notReplayed: count,
  '?budgets': fields({ time: SECONDS, replays: count, maxFindings: count, confirm: count }),
  plain: fields({ runs: count, failed: count, '?apart': count, '?alone': text() }),
  varies: TEXTS,
  notes: TEXTS,
  seconds: SECONDS,
  sources: map(list(fields({ from: whole(1, MOST_INDEX), lines: TEXTS }), 100_000)),
  lookedAt: text(),
  '?since': fields({ started: line(200), fixed: list(fields({ fingerprint: id, label: NAME, sentence: text() }), 100_000) }),
})
