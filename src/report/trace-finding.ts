/**
 * Predictions from a trace alone as the document that every report is made from. There is no program to run again, so none of them has a schedule,
 * and all stay PREDICTED. Events are given by position (the stamp of the trace: a line of an STD file), so several events of one wait share one.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Witnessed, Predictions } from '../predict/predict.ts'
import type { Declaration } from '../property/ast.ts'
import { format } from '../property/format.ts'
import type { PropertyNote } from '../property/words.ts'
import type { OrderRow } from '../schedule/order.ts'
import { isWrite, isRead, OPS } from '../trace/ops.ts'
import type { Model } from '../trace/model.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import { cutShort, traceText } from './coverage-text.ts'
import { DOCUMENT_SCHEMA, type CheckDocument, type FindingDocument, type OfTrace } from './document.ts'
import { heldAt } from './held.ts'
import { whatCanHappen, whyNot } from './sentences.ts'
import type { Difference } from '../witness/difference.ts'
import type { InPieces } from './finding-json.ts'
import { excerptsOf } from './source-excerpts.ts'

export interface TraceCircumstances {
  /** The version of Heddle. */
  readonly version: string
  readonly root: string
  readonly started: Date
  readonly seconds: number
  /** Of a property or typestate by its name: its text, and what confirms it. */
  readonly declared: (name: string) => Pick<PropertyNote, 'text' | 'confirm'> | undefined
  /** Every event of every witness, not only its runs. */
  readonly order: boolean
  /** One for each candidate: there are many, so what is as long as the trace is left out. */
  readonly ungrouped: boolean
}

/** What is said of a property or typestate, from the declarations that were asked about. */
export function declaredIn(declarations: readonly Declaration[]): TraceCircumstances['declared'] {
  return (name) => {
    const declaration = declarations.find((d) => d.name === name)
    return declaration && { text: format({ declarations: [declaration] }), confirm: declaration.confirm }
  }
}

export function traceDocument(trace: Trace, found: Predictions, given: TraceCircumstances): CheckDocument {
  const { findings, ...rest } = traceInPieces(trace, found, given)
  return { ...rest, findings: [...findings] }
}

/** The same with its findings made one at a time: there can be hundreds of thousands. */
export function traceInPieces(trace: Trace, found: Predictions, given: TraceCircumstances): InPieces {
  const { source, order, truncated } = trace.facts
  const coverage = found.coverage.saved()
  const { predictions } = found
  const sites = new Set(predictions.flatMap(({ candidate }) => candidate.events.map((e) => trace.siteName(e))))
  return {
    heddle: given.version,
    schema: DOCUMENT_SCHEMA,
    complete: !found.aborted,
    command: [],
    root: given.root,
    started: given.started.toISOString(),
    findings: {
      *[Symbol.iterator]() {
        for (const prediction of predictions) yield traceFinding(trace, found.model, prediction, given)
      },
    },
    recorded: { trace: source, runtime: '', milliseconds: 0, stopped: false, events: trace.eventCount, modules: 0, skipped: [] },
    trace: {
      source,
      events: trace.eventCount,
      tasks: trace.taskCount,
      order,
      ...(truncated === undefined ? {} : { truncated }),
      model: found.model,
      decider: found.decider,
    },
    coverage,
    replays: 0,
    notReplayed: predictions.length,
    plain: { runs: 0, failed: 0 },
    varies: [],
    notes: [...(truncated === undefined ? [] : [`The trace is incomplete: ${truncated}`]), ...cutShort(coverage)],
    seconds: given.seconds,
    sources: excerptsOf([...sites], given.root),
    lookedAt: traceText(coverage, trace.eventCount, trace.taskCount),
  }
}

export function traceFinding(
  trace: Trace,
  model: Model,
  prediction: Witnessed,
  given: Pick<TraceCircumstances, 'declared' | 'order'>,
): FindingDocument {
  const { candidate, stage, cause, candidates, label } = prediction
  const { witness } = prediction
  const position = (e: EventId): number => trace.stamp[e]!
  const shown = [...new Set([...candidate.events, ...candidate.next])]
  const recorded = shown.toSorted((a, b) => position(a) - position(b) || a - b)
  const failing = witness.sorted(shown)
  const rest = shown.filter((e) => !witness.has(e))
  return {
    status: 'PREDICTED',
    kind: candidate.kind,
    pattern: candidate.pattern,
    label,
    ...propertyOf(prediction, given.declared),
    summary: whatCanHappen(trace, prediction),
    sites: candidate.events.map((e) => trace.siteName(e)),
    locations: locationsOf(trace, prediction),
    fingerprint: fingerprintOf([cause]),
    replays: { runs: 0, failures: 0 },
    earlier: false,
    count: candidates,
    cause,
    ...(candidate.region === undefined ? {} : { region: candidate.region }),
    events: candidate.events.map(position),
    tasks: candidate.events.map((e) => trace.taskName(trace.taskOf(e))),
    ops: candidate.events.map((e) => trace.eventText(e)),
    ...subject(trace, prediction),
    candidates,
    stage,
    witness: witnessOf(trace, candidate.next, prediction.witness, given.order),
    ...intervalOf(trace, prediction),
    observed: trace.facts.order === 'global' ? rows(trace, recorded, true) : [],
    failing: rows(trace, [...failing, ...rest], false),
    why: [whyNot(trace, prediction, model)],
  }
}

function propertyOf({ candidate: { property } }: Witnessed, declared: TraceCircumstances['declared']): Pick<FindingDocument, 'property'> {
  if (!property) return {}
  const { name, binding, names, says, state } = property
  return {
    property: {
      name,
      binding,
      ...declared(name),
      names,
      says,
      ...(state === undefined ? {} : { state }),
    },
  }
}

function locationsOf(trace: Trace, { candidate }: Witnessed): string[] {
  const { property, kind, events, next } = candidate
  if (property) return Object.values(property.binding).map((value) => value.replace(/^#/, ''))
  if (kind !== 'deadlock') return [trace.targetName(events[0]!)]
  return [...new Set(next.map((e) => trace.targetName(e)))]
}

/** What it is about: a location, the locks (deadlock), or the signal (lost wake-up). */
function subject(trace: Trace, { candidate }: Witnessed): Partial<OfTrace> {
  const first = candidate.events[0]!
  if (candidate.property) return {}
  if (candidate.kind !== 'deadlock') return { location: trace.targetName(first) }
  if (OPS[trace.op[first]!]!.target === 'signal') return { signal: trace.targetName(first) }
  // Per event: what its task waits for, and what it holds meanwhile.
  return {
    locks: candidate.events.map((e) => trace.targetName(e)),
    held: candidate.events.map((e) => Array.from(heldAt(trace, e).keys(), (l) => trace.tables.locks.at(l))),
  }
}

/** How many events of each task run, how far the recorded order is kept among them, and what comes then: which task, for how many events. */
function witnessOf(trace: Trace, next: readonly EventId[], witness: Difference, inFull: boolean): OfTrace['witness'] {
  const position = (e: EventId): number => trace.stamp[e]!
  const tasks: [string, number][] = []
  witness.runs.forEach((n, task) => {
    if (n > 0) tasks.push([trace.taskName(task), n])
  })
  const moved: [string, number][] = []
  for (let i = 0; i < witness.moved.length; i += 2) moved.push([trace.taskName(witness.moved[i]!), witness.moved[i + 1]!])
  return {
    tasks,
    kept: witness.kept,
    moved,
    ...(inFull ? { order: Array.from(witness.order, position) } : {}),
    next: next.map(position),
  }
}

/** BIPED's interval, from its first to its last position. The witness says how it is permuted. */
function intervalOf(trace: Trace, { candidate }: Witnessed): Partial<OfTrace> {
  const interval = candidate.interval?.()
  if (!interval) return {}
  const { possible, tactic, reason } = interval
  const from = trace.stamp[interval.bottom]!
  const to = trace.stamp[interval.top]!
  return {
    interval: {
      from,
      to,
      tactic,
      possible,
      ...(reason === undefined ? {} : { reason }),
    },
  }
}

/** Values are those of the recorded run: what is read in another order is not known. */
function rows(trace: Trace, events: readonly EventId[], recorded: boolean): OrderRow[] {
  return events.map((e, at) => {
    const name = trace.taskName(trace.taskOf(e))
    const [op, value] = [trace.op[e]!, trace.tables.values.textOf(trace.value[e]!)]
    const isKnown = value !== '' && (recorded || isWrite(op))
    const access = isWrite(op) ? 'write' : isRead(op) ? 'read' : (WORDS[OPS[op]!.text] ?? OPS[op]!.text)
    const row = { access, location: trace.targetName(e), ...(isKnown ? { value } : {}), site: trace.siteName(e) }
    return { turn: { label: name, nth: trace.stamp[e]! }, name, chain: name, offLoop: false, posted: '', at, accesses: [row] }
  })
}

const WORDS: Readonly<Record<string, string>> = { acq: 'lock', rel: 'unlock', wake: 'woken', notifyAll: 'broadcast' }
