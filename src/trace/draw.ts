/** Draws a trace in the text notation: one column per task, one row an event. Undecorated and uncut, `parseText` reads it back. */
import { eventNotation, nameText, siteNotation, taskText } from './notation.ts'
import { BRANCH } from './ops.ts'
import type { EventId, Trace } from './trace.ts'
import { Held, waitLength } from './waits.ts'

export interface DrawOptions {
  /** Only events with stamps from … to, both included. */
  from?: number
  to?: number
  /** Only these tasks, by name. */
  tasks?: readonly string[]
  /** Only the events around a stamp: `context` rows (5) before and after it. */
  around?: number
  context?: number
  /** Draw these events in this order instead of all in recorded order. */
  order?: Int32Array
  /** Written after the event, such as ◀. */
  marks?: ReadonlyMap<EventId, string>
  /** Texts are cut with … so that no line is longer. */
  maxWidth?: number
  /** Leave the sites out. */
  sites?: boolean
  /** Written behind ` : `, if it is not empty. */
  expressionOf?: (event: EventId) => string
}

interface Row {
  readonly task: number
  readonly text: string
}

const GAP = 2
/** Columns are no wider: a longer text runs on into the space of the columns to its right, which are empty in its row. */
const WIDEST = 32

export function drawTrace(trace: Trace, options: DrawOptions = {}): string {
  const order = options.order ?? trace.sourceOrder()
  const partial = options.from ?? options.to ?? options.tasks ?? options.around ?? options.order
  const rows: Row[] = []
  const chosen = chooser(trace, order, options)
  const held = new Held()
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const task = trace.taskOf(e)
    const wait = contiguous(order, i, waitLength(trace, held, task, e))
    const text = wait > 0 ? waitNotation(trace, e, wait) : eventNotation(trace, e)
    if (wait === 0) held.follow(task, trace.op[e]!, trace.target[e]!)
    if (chosen(task, e, i)) {
      const site = options.sites === false ? '' : siteNotation(trace, e)
      const expression = options.expressionOf?.(e) ?? ''
      rows.push({ task, text: text + (expression && ` : ${expression}`) + site + markText(options, e, Math.max(1, wait)) })
    }
    if (wait > 0) i += wait - 1
  }

  const lines: string[] = []
  if (partial === undefined) {
    if (trace.facts.order === 'task') lines.push('order: task')
    if (trace.facts.branches !== trace.op.includes(BRANCH)) lines.push(`branches: ${trace.facts.branches ? 'recorded' : 'none'}`)
  }
  const shown = new Uint8Array(trace.taskCount)
  if (partial === undefined) shown.fill(1)
  for (const row of rows) shown[row.task] = 1
  lines.push(...layOut(trace, shown, rows, options.maxWidth))
  return lines.map((line) => `${line}\n`).join('')
}

function layOut(trace: Trace, shown: Uint8Array, rows: Row[], maxWidth: number | undefined): string[] {
  const tasks = Array.from(shown.keys()).filter((t) => shown[t] === 1)
  const names = new Map(tasks.map((t) => [t, taskText(trace.taskName(t))]))
  const cap = maxWidth === undefined ? WIDEST : Math.max(6, Math.floor(maxWidth / Math.max(1, tasks.length)) - GAP)
  const width = new Map(tasks.map((t) => [t, maxWidth === undefined ? names.get(t)!.length : Math.min(cap, names.get(t)!.length)]))
  for (const { task, text } of rows) width.set(task, Math.max(width.get(task)!, Math.min(cap, text.length)))
  const start = new Map<number, number>()
  let at = 0
  for (const t of tasks) {
    start.set(t, at)
    at += width.get(t)! + GAP
  }
  const limit = (t: number): number => (maxWidth === undefined ? Infinity : Math.max(cap, maxWidth - start.get(t)!))
  let heading = ''
  for (const t of tasks) heading = heading.padEnd(start.get(t)!) + cut(names.get(t)!, maxWidth === undefined ? Infinity : width.get(t)!)
  return [heading, ...rows.map(({ task, text }) => ' '.repeat(start.get(task)!) + cut(text, limit(task)))]
}

function chooser(trace: Trace, order: Int32Array, options: DrawOptions): (task: number, e: EventId, at: number) => boolean {
  const { from = -Infinity, to = Infinity, around, context = 5 } = options
  const names = options.tasks && new Set(options.tasks)
  const tasks = names && Uint8Array.from({ length: trace.taskCount }, (_, t) => Number(names.has(trace.taskName(t))))
  let low = 0
  let high = order.length
  if (around !== undefined) {
    const middle = order.findIndex((e) => trace.stamp[e] === around)
    low = middle < 0 ? 0 : middle - context
    high = middle < 0 ? -1 : middle + context
  }
  return (task, e, at) => {
    const stamp = trace.stamp[e]!
    return stamp >= from && stamp <= to && at >= low && at <= high && tasks?.[task] !== 0
  }
}

/** A wait is drawn as one only when its events follow each other in the drawn order too. */
function contiguous(order: Int32Array, at: number, length: number): number {
  for (let k = 1; k < length; k++) if (order[at + k] !== order[at]! + k) return 0
  return length
}

function waitNotation(trace: Trace, first: EventId, length: number): string {
  const signal = trace.targetName(first + (length >> 1))
  const lock = trace.targetName(first)
  return signal === lock ? `wait(${nameText(signal)})` : `wait(${nameText(signal)},${nameText(lock)})`
}

function markText(options: DrawOptions, first: EventId, length: number): string {
  for (let e = first; e < first + length; e++) {
    const mark = options.marks?.get(e)
    if (mark !== undefined) return ` ${mark}`
  }
  return ''
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, Math.max(1, limit - 1))}…`
}
