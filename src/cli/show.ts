/** `heddle show`: a trace in columns, with positions on the left; or a stored finding in full. If the output is cut, it says so. */
import { existsSync } from 'node:fs'
import { drawTrace, type DrawOptions } from '../trace/draw.ts'
import { taskText } from '../trace/notation.ts'
import { openTrace } from '../trace/open.ts'
import type { Trace } from '../trace/trace.ts'
import { asTest, type TestRunner } from '../report/as-test.ts'
import { printable } from '../report/escape.ts'
import { findingLines, wholeFailure } from '../report/finding-text.ts'
import { titleOf } from '../report/finding-words.ts'
import { lineFrom } from '../report/finding-source.ts'
import { labelled } from '../report/labelled.ts'
import { sentenceOf } from '../report/sentence.ts'
import { closest } from '../base/closest.ts'
import { noSuchTask } from './errors.ts'
import { findFinding } from '../confirm/find-finding.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'
import { eventAt } from './position.ts'

const FIRST = 200
/** Long traces are drawn part by part, each with its own heading. */
const PART = 50_000

export async function showCommand(args: Arguments, io: Io): Promise<number> {
  const [from, to, around] = [args.number('from'), args.number('to'), args.number('around')]
  const tasks = args.list('task')
  const what = args.positional('FILE')
  const found = existsSync(what) && !what.endsWith('.json') ? undefined : findFinding(what, process.cwd())
  if (found) {
    const runner = args.word('as-test') as TestRunner | undefined
    if (runner !== undefined) {
      const { prediction } = found.finding
      const line = lineFrom(process.cwd())
      const title = titleOf(labelled(prediction), line)
      await io.out.write(asTest({ ...prediction, title, sentence: sentenceOf(prediction, line) }, runner))
      return 0
    }
    const options = { width: io.width, colour: io.colour, root: process.cwd(), verbose: true }
    await io.out.write([...findingLines(found.finding, undefined, options), ...wholeFailure(found.finding), ''].join('\n'))
    return 0
  }
  const trace = openTrace(what, { strict: false })
  for (const name of tasks) checkTask(trace, name)
  const order = trace.sourceOrder()
  let [low, high] = [0, order.length - 1]
  if (around !== undefined) {
    const middle = order.indexOf(eventAt(trace, around))
    const context = args.number('context')!
    ;[low, high] = [Math.max(low, middle - context), Math.min(high, middle + context)]
  }
  const names = new Set(tasks)
  const wanted = Uint8Array.from({ length: trace.taskCount }, (_, t) => Number(names.size === 0 || names.has(trace.taskName(t))))
  const chosen: number[] = []
  for (let i = low; i <= high; i++) {
    const stamp = trace.stamp[order[i]!]!
    if (stamp >= (from ?? -Infinity) && stamp <= (to ?? Infinity) && wanted[trace.taskOf(order[i]!)] === 1) chosen.push(i)
  }
  const shown = args.flag('all') ? chosen.length : Math.min(chosen.length, FIRST)

  if (shown > 0) await draw(trace, order, chosen.slice(0, shown), io)
  if (shown < chosen.length) {
    const next = trace.stamp[order[chosen[shown]!]!]!
    await io.out.write(
      `\nThe first ${shown} of ${chosen.length} events. Use --from ${next} to go on, --around N for what is near a position, or --all for everything.\n`,
    )
  } else if (shown === 0) await io.out.write(`None of the ${order.length} events of ${printable(trace.facts.source)} fits these options.\n`)
  if (trace.facts.truncated !== undefined) await io.out.write(`\nThe trace is incomplete: ${printable(trace.facts.truncated)}\n`)
  return 0
}

async function draw(trace: Trace, order: Int32Array, chosen: readonly number[], io: Io): Promise<void> {
  for (let i = 0; i < chosen.length; i += PART) {
    const part = chosen.slice(i, i + PART)
    const marks = new Map(part.map((at) => [order[at]!, `#${trace.stamp[order[at]!]}`]))
    await io.out.write(withGutter(drawTrace(trace, { order: Int32Array.from(part, (at) => order[at]!), marks } satisfies DrawOptions)))
  }
}

/** Moves the positions, which the marks put at the end of each line, to the left. */
function withGutter(drawing: string): string {
  const rows = drawing.split('\n').slice(0, -1)
  const positions = rows.map((row) => / #(\d+)$/.exec(row)?.[1] ?? '')
  const width = Math.max(...positions.map((p) => p.length))
  return rows
    .map((row, i) => `${positions[i]!.padStart(width)}  ${positions[i] === '' ? row : row.slice(0, -positions[i]!.length - 2)}\n`)
    .join('')
}

function checkTask(trace: Trace, name: string): void {
  if (trace.tables.tasks.find(name) >= 0) return
  const all = [...trace.tables.tasks]
  const near = closest(name, all)
  throw noSuchTask(trace.facts.source, name, near && taskText(near), all.slice(0, 8).map(taskText))
}
