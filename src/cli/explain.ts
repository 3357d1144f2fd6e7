/** `heddle explain`: why A must come before B, or an order in which it does not. */
import { explain, type Explanation } from '../predict/explain.ts'
import { defaultModel } from '../predict/predict.ts'
import { printable } from '../report/escape.ts'
import { seenInstead } from '../report/seen.ts'
import { place } from '../report/sentences.ts'
import { sideBySide } from '../report/side-by-side.ts'
import { eventNotation, taskText } from '../trace/notation.ts'
import { openTrace } from '../trace/open.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { Model } from '../trace/model.ts'
import { sameEvent } from './errors.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'
import { eventAt } from './position.ts'

const MOST_ROWS = 20

export async function explainCommand(args: Arguments, io: Io): Promise<number> {
  const [placeA, placeB] = [args.place('A'), args.place('B')]
  const trace = openTrace(args.positional('FILE'), { strict: false })
  const a = eventAt(trace, placeA)
  const b = eventAt(trace, placeB)
  if (a === b) throw sameEvent(placeA)
  const model = args.word<Model>('model') ?? defaultModel(trace)
  const lines = answer(trace, model, a, b, explain(trace, model, a, b), io.width)
  await io.out.write(lines.map((line) => `${line}\n`).join(''))
  return 0
}

function answer(trace: Trace, model: Model, a: EventId, b: EventId, why: Explanation, width: number): string[] {
  const [one, two] = [described(trace, a), described(trace, b)]
  if (why.must === undefined) {
    return [`Unknown (model ${model}): ${printable(why.budget)} before it was clear whether ${one} must come before ${two}.`]
  }
  if (why.must) return [`${one} must come before ${two} (model ${model}):`, ...reasons(why)]
  const heading = why.aRuns ? 'an order in which B comes first' : 'an order in which B runs and A does not'
  const marked = [a, b]
  const tasks = [...new Set(marked.map((e) => trace.taskOf(e)))].sort((x, y) => x - y)
  const recorded = trace.facts.order === 'global' ? [{ heading: 'recorded', order: trace.recordedOrder() }] : []
  const lines = [
    `${one} need not come before ${two} (model ${model}):`,
    '',
    ...sideBySide(trace, [...recorded, { heading, order: why.order, texts: seenInstead(trace, why.order) }], {
      marked,
      tasks,
      width,
      mostRows: MOST_ROWS,
    }),
  ]
  const other = explain(trace, model, b, a)
  if (other.must) lines.push('', `It is the other way round: ${two} must come before ${one}:`, ...reasons(other))
  return lines
}

function reasons({ path, rules }: Extract<Explanation, { must: true }>): string[] {
  if (path.length > 0) return path.map((step, i) => `  ${i + 1}. ${printable(step.sentence)}.`)
  return ['  no single chain of orders says so, but every order breaks one of these:', ...rules.map((rule) => `  - ${printable(rule)}.`)]
}

const described = (trace: Trace, e: EventId): string =>
  `${taskText(trace.taskName(trace.taskOf(e)))} ${eventNotation(trace, e)} (${place(trace, e)}${trace.siteName(e) === '' ? '' : `, position ${trace.stamp[e]}`})`
