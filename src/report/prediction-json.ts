/**
 * The stable form of predictions, as JSON: docs/prediction.schema.json. Written piece by piece, since there can be hundreds of thousands. Events are
 * given by position (the stamp of the trace: a line of an STD file), so several events of one wait share one.
 */
import type { Prediction, Predictions } from '../predict/predict.ts'
import type { Summary } from '../predict/summary.ts'
import { OPS } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import { heldAt } from './held.ts'
import { safeJson } from './escape.ts'

const SCHEMA = 1

export interface JsonOptions {
  /** The version of Heddle. */
  readonly version: string
  /** Leaves the orders out: there are many, each as long as the trace. */
  readonly ungrouped: boolean
  readonly seconds: number
}

/** One piece of text after another; together one JSON object, one prediction a line. */
export function* predictionJson(trace: Trace, found: Predictions, options: JsonOptions): Generator<string> {
  yield `{"heddle":${safeJson(options.version)},"schema":${SCHEMA},"trace":${safeJson(traceJson(trace))},`
  yield `"model":${safeJson(found.model)},"decider":${safeJson(found.decider)},"predictions":[`
  let comma = ''
  for (const prediction of found.predictions) {
    yield `${comma}\n${safeJson(oneJson(trace, prediction, options.ungrouped))}`
    comma = ','
  }
  yield `\n],"summary":${safeJson(summaryJson(trace, found, options.seconds))}}\n`
}

function traceJson(trace: Trace) {
  const { source, order, truncated } = trace.facts
  return { source, events: trace.eventCount, tasks: trace.taskCount, order, ...(truncated === undefined ? {} : { truncated }) }
}

function oneJson(trace: Trace, prediction: Prediction, ungrouped: boolean) {
  const { candidate, stage, cause, candidates } = prediction
  const position = (e: EventId): number => trace.stamp[e]!
  return {
    kind: candidate.kind,
    pattern: candidate.pattern,
    cause,
    ...(candidate.region === undefined ? {} : { region: candidate.region }),
    status: 'PREDICTED',
    events: candidate.events.map(position),
    tasks: candidate.events.map((e) => trace.taskName(trace.taskOf(e))),
    ops: candidate.events.map((e) => trace.eventText(e)),
    sites: candidate.events.map((e) => trace.siteName(e)),
    ...subject(trace, prediction),
    candidates,
    stage,
    witness: witnessJson(trace, prediction, ungrouped),
    ...intervalJson(trace, prediction, ungrouped),
  }
}

/** What it is about: a property and what its parameters are bound to, a location, or the locks (deadlock), or the signal (lost wake-up). */
function subject(trace: Trace, { candidate }: Prediction) {
  const first = candidate.events[0]!
  const { property } = candidate
  if (property) {
    const { name, binding, names, says, state } = property
    return { property: { name, binding, names, says, ...(state === undefined ? {} : { state }) } }
  }
  if (candidate.kind !== 'deadlock') return { location: trace.targetName(first) }
  if (OPS[trace.op[first]!]!.target === 'signal') return { signal: trace.targetName(first) }
  // Per event: what its task waits for, and what it holds meanwhile.
  return {
    locks: candidate.events.map((e) => trace.targetName(e)),
    held: candidate.events.map((e) => Array.from(heldAt(trace, e).keys(), (l) => trace.tables.locks.at(l))),
  }
}

function witnessJson(trace: Trace, { candidate, witness }: Prediction, ungrouped: boolean) {
  const runs: [string, number][] = []
  let running = -1
  for (const e of witness.order) {
    const task = trace.taskOf(e)
    if (task === running) runs.at(-1)![1]++
    else runs.push([trace.taskName(task), 1])
    running = task
  }
  const next = candidate.next.map((e) => trace.stamp[e]!)
  return ungrouped ? { runs, next } : { runs, order: Array.from(witness.order, (e) => trace.stamp[e]!), next }
}

/** BIPED's interval, from its first to its last position, and how it is permuted. */
function intervalJson(trace: Trace, { candidate }: Prediction, ungrouped: boolean) {
  const { interval } = candidate
  if (!interval) return {}
  const { possible, tactic, reason } = interval
  const from = trace.stamp[interval.bottom]!
  const to = trace.stamp[interval.top]!
  const permuted = ungrouped || !possible ? undefined : interval.permuted
  return {
    interval: {
      from,
      to,
      tactic,
      possible,
      ...(reason === undefined ? {} : { reason }),
      ...(permuted ? { permuted: Array.from(permuted, (e) => trace.stamp[e]!) } : {}),
    },
  }
}

function summaryJson(trace: Trace, { summary, predictions, aborted }: Predictions, seconds: number) {
  return { complete: !aborted, predictions: predictions.length, ...countsOf(summary), events: trace.eventCount, seconds }
}

function countsOf(summary: Summary) {
  return {
    decided: summary.decided,
    stages: summary.stages,
    unknown: summary.unknown,
    budgets: [...summary.budgets],
    grouped: summary.grouped,
    notLookedAt: summary.notLookedAt,
    atLeast: summary.atLeast,
    causes: summary.causes,
  }
}
