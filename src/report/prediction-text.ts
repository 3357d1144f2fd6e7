/** Predictions as text: at most 25 lines each, then always how much was examined. */
import type { Counts } from '../coverage.ts'
import type { Witnessed, Predictions } from '../predict/predict.ts'
import type { Model } from '../trace/model.ts'
import type { Trace } from '../trace/trace.ts'
import { cutShort, traceText } from './coverage-text.ts'
import { printable } from './escape.ts'
import { painter } from './paint.ts'
import { seenInstead } from './seen.ts'
import { intervalSentence, title, whatCanHappen, whyNot } from './sentences.ts'
import { sideBySide } from './side-by-side.ts'
import { count, shellWord, wrap } from './lines.ts'

export interface TextOptions {
  /** Columns of the terminal. */
  readonly width: number
  readonly colour: boolean
  /** How many findings are drawn; the rest gets a line each. */
  readonly limit: number
}

export const MOST_LINES = 25
const MOST_ROWS = 10
const INDENT = '   '
const SHORT = 1

/** Predictions one after the other, as they become known, and then how much was looked at. */
export class PredictionText {
  private shown = 0

  constructor(
    private readonly trace: Trace,
    private readonly model: Model,
    private readonly options: TextOptions,
  ) {}

  /** Some whole lines. */
  one(prediction: Witnessed): string {
    const { trace, model, options } = this
    const number = ++this.shown
    if (number <= options.limit) return [...oneText(trace, prediction, number, model, options), ''].map((line) => `${line}\n`).join('')
    const heading =
      number > options.limit + 1 ? '' : options.limit === 0 ? 'Predicted:\n' : 'More, without a drawing (a larger --limit draws them):\n'
    return `${heading}${painter(options.colour).status(`${number}. PREDICTED`)} ${printable(whatCanHappen(trace, prediction))}\n`
  }

  end(found: Predictions, seconds: number): string {
    const gap = this.shown > this.options.limit ? [''] : []
    return [...gap, ...coverage(this.trace, found, this.options, seconds)].map((line) => `${line}\n`).join('')
  }
}

/** All at once. */
export function* predictionText(trace: Trace, found: Predictions, options: TextOptions & { readonly seconds: number }): Generator<string> {
  const text = new PredictionText(trace, found.model, options)
  for (const prediction of found.predictions) yield text.one(prediction)
  yield text.end(found, options.seconds)
}

function oneText(trace: Trace, prediction: Witnessed, number: number, model: Model, options: TextOptions): string[] {
  const { candidate, witness, candidates } = prediction
  const paint = painter(options.colour)
  const width = Math.max(40, options.width - INDENT.length)
  const marked = [...new Set([...candidate.events, ...candidate.next])]
  const next = candidate.next.filter((e) => !witness.has(e))
  const predicted = Int32Array.from([...prediction.simple(), ...next])
  // Which of the accesses of a race comes first is open.
  const racing = candidate.kind === 'data-race' || candidate.match?.parallel ? next : []
  const tasks = [...new Set(marked.map((e) => trace.taskOf(e)))].sort((a, b) => a - b)
  const recorded = trace.facts.order === 'global' ? [{ heading: 'recorded', order: trace.recordedOrder() }] : []
  const drawing = sideBySide(
    trace,
    [...recorded, { heading: predictedHeading(prediction, next.length), order: predicted, texts: seenInstead(trace, predicted, racing) }],
    {
      marked,
      tasks,
      width,
      mostRows: MOST_ROWS,
      highlight: paint.marked,
    },
  )
  const more = candidates > 1 ? ` (${candidates} candidates of this cause)` : ''
  const found = candidate.interval?.()
  const interval = found ? wrap(printable(intervalSentence(trace, found)), width, 2) : []
  return [
    `${paint.status(`${number}. PREDICTED`)} ${paint.bold(printable(title(trace, prediction)))}${more}`,
    ...wrap(printable(whatCanHappen(trace, prediction)), width, 4).map((line) => INDENT + line),
    '',
    ...drawing.map((line) => (line === '' ? '' : INDENT + line)),
    '',
    ...wrap(printable(whyNot(trace, prediction, model)), width, 3).map((line) => INDENT + line),
    ...interval.map((line) => INDENT + line),
    `${INDENT}See more: heddle show ${printable(shellWord(trace.facts.source))} --around ${trace.stamp[candidate.events[0]!]}`,
  ]
}

function predictedHeading({ candidate }: Witnessed, next: number): string {
  if (candidate.kind === 'data-race' || candidate.match?.parallel) return `predicted (the last ${next} can run at once)`
  if (candidate.kind === 'deadlock')
    return candidate.pattern === 'cycle' ? `predicted (the last ${next} never run)` : 'predicted (the last never runs)'
  return 'predicted'
}

/** How much was looked at. Printed with every result, so that silence is not taken for proof. */
function coverage(trace: Trace, found: Predictions, { width }: TextOptions, seconds: number): string[] {
  const { predictions } = found
  const lines: string[] = []
  if (found.aborted)
    lines.push(
      `INCOMPLETE: ${found.outOfTime ? 'the time limit was reached' : 'interrupted'} before everything was examined. The results above hold, but there may be more.`,
    )
  const took = seconds < SHORT ? '' : `, ${seconds.toFixed(1)} s`
  const number = predictions.length === 0 ? 'Nothing was predicted' : count(predictions.length, 'prediction')
  lines.push(`${number} (model ${found.model}, decider ${found.decider}${took}).`)
  const rows = found.coverage.saved()
  lines.push(...wrap(traceText(rows, trace.eventCount, trace.taskCount), width, 8))
  for (const [what, counts] of [
    ['Settled by', added(rows.flatMap((row) => [row.infeasible, row.feasible]))],
    ['Undecided for lack of', added(rows.map((row) => row.unknown))],
  ] as const) {
    const parts = Object.entries(counts).map(([why, n]) => `${why} ${n.toLocaleString('en')}`)
    if (parts.length > 0) lines.push(...wrap(printable(`${what}: ${parts.join(', ')}.`), width, 3))
  }
  for (const sentence of cutShort(rows)) lines.push(...wrap(sentence, width, 3))
  if (trace.facts.truncated !== undefined) lines.push(`The trace is incomplete: ${printable(trace.facts.truncated)}`)
  return lines
}

function added(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [why, n] of Object.entries(counts)) sum[why] = (sum[why] ?? 0) + n
  return sum
}
