/**
 * Findings as a trace for ui.perfetto.dev and chrome://tracing (JSON trace event format): the recorded and the failing order as two processes, a
 * thread for each lane, blocks as slices, accesses as instants, arrows as flows, locks as async spans. Time is the position in the order, a
 * millisecond for each event: the failing order has no other time, and the two can be compared side by side.
 */
import type { CheckDocument, FindingDocument } from './document.ts'
import { lineIn } from './excerpt-line.ts'
import { safeJson } from './escape.ts'
import { doing } from './finding-orders.ts'
import { replayCommand, shortId, titleOf } from './finding-words.ts'
import { viewerRuns, type ViewerEvent, type ViewerRun } from './perfetto-run.ts'
import { worstFirst } from './listing.ts'
import type { Line } from './resource-name.ts'
import { sentenceOf } from './sentence.ts'

/** Two processes each: with more a viewer is of no help. */
const MOST_FINDINGS = 50
/** Microseconds. */
const STEP = 1000
/** Inside the slice of its event, so that flows and instants are taken to belong to it. */
const INSIDE = 200

export function* perfettoReport(document: CheckDocument): Generator<string> {
  const findings = worstFirst(document.findings)
  const line = lineIn(document)
  const other = {
    heddle: document.heddle,
    command: document.command,
    time: 'the place in the order, one millisecond an event',
    findings: findings.slice(0, MOST_FINDINGS).map((finding) => ({
      status: finding.status,
      ...(finding.schedule ? { replay: replayCommand(finding.fingerprint) } : {}),
      summary: sentenceOf(finding, line),
    })),
    leftOut: Math.max(0, findings.length - MOST_FINDINGS),
  }
  yield `{"displayTimeUnit":"ms","otherData":${safeJson(other)},"traceEvents":[`
  let comma = ''
  const numbers = new Numbers()
  for (const [i, finding] of findings.slice(0, MOST_FINDINGS).entries()) {
    const [observed, failing] = viewerRuns(finding)
    for (const [pid, which, run] of [
      [2 * i + 1, 'recorded', observed],
      [2 * i + 2, finding.status === 'FAILED' ? 'failing' : 'predicted', failing],
    ] as const)
      for (const event of eventsOf(run, pid, nameOf(finding, which, i + 1, line), numbers)) {
        yield `${comma}\n${safeJson(event)}`
        comma = ','
      }
  }
  yield '\n]}\n'
}

const nameOf = (finding: FindingDocument, which: string, number: number, line: Line): string =>
  `${number}. ${which}: ${titleOf(finding, line)} (${finding.status} ${shortId(finding.fingerprint)})`

/**
 * Perfetto takes names of threads by their number alone and ids of flows for the whole file, so that none may be used twice, and ids of flows must be
 * numbers (google/perfetto, importers/json/json_trace_parser_impl.cc).
 */
class Numbers {
  private thread = 1000
  private id = 0

  threads(n: number): number {
    return (this.thread += n) - n
  }

  next(): number {
    return ++this.id
  }
}

function* eventsOf({ lanes, blocks, arrows, spans }: ViewerRun, pid: number, name: string, numbers: Numbers): Generator<object> {
  const first = numbers.threads(lanes.length)
  yield { ph: 'M', name: 'process_name', pid, args: { name } }
  yield { ph: 'M', name: 'process_sort_index', pid, args: { sort_index: pid } }
  for (const [lane, text] of lanes.entries()) {
    yield { ph: 'M', name: 'thread_name', pid, tid: first + lane, args: { name: text } }
    yield { ph: 'M', name: 'thread_sort_index', pid, tid: first + lane, args: { sort_index: lane } }
  }
  /** When an event is, and whose. */
  const at = new Map<number, { readonly ts: number; readonly tid: number }>()
  let now = 0
  for (const { lane, name: what, from, events, at: milliseconds } of blocks) {
    const tid = first + lane
    const dur = Math.max(1, events.length) * STEP
    yield { ph: 'X', cat: 'block', name: what || 'runs', pid, tid, ts: now, dur, args: { at: milliseconds } }
    for (const [k, event] of events.entries()) {
      const ts = now + k * STEP + INSIDE
      at.set(from + k, { ts, tid })
      yield { ph: 'i', s: 't', cat: event.flipped ? 'flipped' : 'access', name: eventName(event), pid, tid, ts, args: argsOf(event) }
    }
    now += dur
  }
  for (const { kind, from, to, why } of arrows) {
    const [start, end] = [at.get(from), at.get(to)]
    if (!start || !end) continue
    const flow = { cat: 'arrow', name: kind, id: numbers.next(), pid }
    yield { ph: 's', ...flow, ...start, args: { why } }
    yield { ph: 'f', bp: 'e', ...flow, ...end }
  }
  for (const { lane, lock, from, to } of spans) {
    const span = { cat: 'lock', name: `holds ${lock}`, id: numbers.next(), pid, tid: first + lane }
    yield { ph: 'b', ...span, ts: at.get(from)?.ts ?? 0 }
    yield { ph: 'e', ...span, ts: at.get(to)?.ts ?? now }
  }
}

const eventName = ({ does, verb, what, flipped }: ViewerEvent): string =>
  `${flipped ? '◀ ' : ''}${doing(does, verb)}${what === '' ? '' : ` ${what}`}`

const argsOf = ({ what, value, site, flipped }: ViewerEvent): object => ({
  ...(what === '' ? {} : { what }),
  ...(value === '' ? {} : { value }),
  ...(site === '' ? {} : { site }),
  ...(flipped ? { flipped } : {}),
})
