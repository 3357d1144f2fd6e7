/** Reads the runtime's report of a run. It was written inside the program, so it is untrusted. */
import { readJson } from '../../base/json-file.ts'
import { count, either, Fault, fields, flag, line, list, take, text, whole, word, type Shape } from '../../base/schema.ts'
import type { RunReport, WorkerReport } from '../../runtime/js/protocol.ts'
import { TEXTS } from '../../schedule/shapes.ts'
import { SKIPPED } from '../recording.ts'

const NUMBER = whole(-(2 ** 31), 2 ** 32)
const STEP = { step: count }
const NOTE = either('did', {
  held: fields({ ...STEP, did: word('held') }),
  stalled: fields({ ...STEP, did: word('stalled') }),
  released: fields({ ...STEP, did: word('released') }),
  'gave up': fields({ ...STEP, did: word('gave up'), why: word('horizon', 'idle', 'exit') }),
})
const WORKER = { modules: TEXTS, skipped: SKIPPED, '?text': fields({ observed: count, skipped: count }), notes: TEXTS }
const REPORT: Shape = fields({
  ...WORKER,
  node: line(200),
  '?alone': list(list(text(4096), 40), 4),
  '?told': list(list(text(4096), 40), 4),
  events: count,
  turns: count,
  '?end': fields({
    code: NUMBER,
    '?uncaught': fields({ kind: word('exception', 'rejection', 'test'), message: text(), stack: text() }),
    turn: NUMBER,
  }),
  '?replay': list(NOTE),
  '?threads': fields({ done: count, '?gaveUp': fields({ line: NUMBER, why: text() }) }),
  '?waiting': TEXTS,
  '?stuck': flag,
})

/** Undefined where there is none, or where it is none. */
export const readReport = (path: string): RunReport | undefined => rightOr(take<RunReport>(readJson(path), REPORT))
export const readWorkerReport = (path: string): WorkerReport | undefined => rightOr(take<WorkerReport>(readJson(path), fields(WORKER)))

const rightOr = <T>(taken: T | Fault): T | undefined => (taken instanceof Fault ? undefined : taken)
