/**
 * Two orders of the same events next to each other, a column per task, the position of each event on the left. Only the tasks that matter and a few
 * events around those that matter are drawn; what is left out is marked by ⋮ and counted.
 */
import { eventNotation, taskText } from '../trace/notation.ts'
import type { EventId, TaskId, Trace } from '../trace/trace.ts'
import { cut } from './escape.ts'

export interface Panel {
  readonly heading: string
  /** What runs, in order. */
  readonly order: ArrayLike<EventId>
  /** Events that are drawn differently than they were recorded. */
  readonly texts?: ReadonlyMap<EventId, string>
}

export interface SideBySide {
  /** Always drawn, and marked. */
  readonly marked: readonly EventId[]
  readonly tasks: readonly TaskId[]
  readonly width: number
  readonly mostRows: number
  /** Applied to the rows of marked events. */
  readonly highlight?: (text: string) => string
}

const MARK = '◀'
const BETWEEN = '   '
const MOST_TASKS = 4

export function sideBySide(trace: Trace, panels: readonly Panel[], options: SideBySide): string[] {
  const width = Math.floor((options.width - BETWEEN.length * (panels.length - 1)) / panels.length)
  const drawn = panels.map((panel) => drawPanel(trace, panel, width, options))
  const height = Math.max(...drawn.map((lines) => lines.length))
  const lines: string[] = []
  for (let i = 0; i < height; i++) {
    const parts = drawn.map((panel) => panel[i] ?? { text: '', marked: false })
    lines.push(
      parts
        .map(({ text, marked }, k) => {
          const padded = k === parts.length - 1 ? text : text.padEnd(width)
          return marked && options.highlight ? options.highlight(text) + padded.slice(text.length) : padded
        })
        .join(BETWEEN)
        .trimEnd(),
    )
  }
  return lines
}

interface Line {
  readonly text: string
  readonly marked: boolean
}

function drawPanel(trace: Trace, panel: Panel, width: number, options: SideBySide): Line[] {
  const tasks = options.tasks.slice(0, MOST_TASKS)
  const column = new Map(tasks.map((t, i) => [t, i]))
  const { rows, skipped } = choose(trace, panel.order, column, options)
  const gutter = Math.max(2, ...rows.map((row) => (row === 'gap' ? 0 : String(trace.stamp[row]).length))) + 2
  const step = Math.max(6, Math.floor((width - gutter) / tasks.length))
  const marked = new Set(options.marked)
  let names = ' '.repeat(gutter)
  tasks.forEach((t, i) => (names = names.padEnd(gutter + i * step) + cut(taskText(trace.taskName(t)), step - 1)))
  const lines: Line[] = [
    { text: cut(panel.heading, width), marked: false },
    { text: names, marked: false },
  ]
  for (const row of rows) {
    if (row === 'gap') {
      lines.push({ text: '⋮'.padStart(gutter - 2), marked: false })
      continue
    }
    const at = gutter + column.get(trace.taskOf(row))! * step
    const start = String(trace.stamp[row])
      .padStart(gutter - 2)
      .padEnd(at)
    // A text may run on into the columns to its right, which are empty in its row.
    const mark = marked.has(row) ? ` ${MARK}` : ''
    lines.push({
      text: start + cut(panel.texts?.get(row) ?? eventNotation(trace, row), width - at - mark.length) + mark,
      marked: mark !== '',
    })
  }
  if (skipped > 0) lines.push({ text: cut(`(${skipped} of the marked events not drawn)`, width), marked: false })
  return lines
}

/** The marked events with as much around them as fits, as events and gaps. */
function choose(trace: Trace, order: ArrayLike<EventId>, column: ReadonlyMap<TaskId, number>, options: SideBySide) {
  const marked = new Set(options.marked)
  const mine: EventId[] = []
  const centres: number[] = []
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    if (!column.has(trace.taskOf(e))) continue
    if (marked.has(e)) centres.push(mine.length)
    mine.push(e)
  }
  const kept = centres.slice(0, options.mostRows)
  for (let context = 4; ; context--) {
    const rows: (EventId | 'gap')[] = []
    let last = -1
    for (const centre of kept) {
      const from = Math.max(last + 1, centre - context)
      // What follows matters less than what led there.
      const to = Math.min(mine.length - 1, centre + (context >> 1))
      if (from > last + 1 || (last === -1 && from > 0)) rows.push('gap')
      for (let i = from; i <= to; i++) rows.push(mine[i]!)
      last = Math.max(last, to)
    }
    if (last < mine.length - 1) rows.push('gap')
    if (rows.length <= options.mostRows || context === 0)
      return { rows: rows.slice(0, options.mostRows), skipped: centres.length - kept.length }
  }
}
