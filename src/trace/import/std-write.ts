/** Writes a trace in STD format, in recorded order, so that reading it gives the same trace again. */
import type { Names } from '../../base/names.ts'
import { BRANCH, OPS } from '../ops.ts'
import { NONE, type Trace } from '../trace.ts'
import { Held, waitLength } from '../waits.ts'
import { escapeName, escapeTask, mustEscape } from './std-escape.ts'

const PIECE = 1 << 16

/** Calls `sink` with one piece of text after another. */
export function writeStd(trace: Trace, sink: (piece: string) => void): void {
  const { tables, facts } = trace
  const escaped =
    [tables.tasks, tables.locations, tables.locks, tables.signals, tables.queues, tables.names, tables.sites, tables.values.table].some(
      (t) => some(t, mustEscape),
    ) || some(tables.tasks, (name) => name.startsWith('#'))
  const texts = (table: Names, escape = escapeName): string[] => Array.from(table, (name) => (escaped ? escape(name) : name))
  const tasks = texts(tables.tasks, escapeTask)
  const sites = texts(tables.sites)
  const targets = {
    location: texts(tables.locations),
    lock: texts(tables.locks),
    task: texts(tables.tasks),
    signal: texts(tables.signals),
    queue: texts(tables.queues),
    name: texts(tables.names),
    none: [],
  }
  const byOp = OPS.map((row) => targets[row.target])
  const values = texts(tables.values.table)

  let out = ''
  if (escaped) out += '# heddle: escapes\n'
  if (facts.order === 'task') out += '# heddle: order task\n'
  if (facts.branches !== trace.op.includes(BRANCH)) out += `# heddle: branches ${facts.branches ? 'recorded' : 'none'}\n`

  const order = trace.sourceOrder()
  const held = new Held()
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const task = trace.taskOf(e)
    const op = trace.op[e]!
    const target = trace.target[e]!
    const wait = waitLength(trace, held, task, e)
    let event: string | undefined
    if (wait > 0) event = waitText(targets.signal[trace.target[e + (wait >> 1)]!]!, targets.lock[target]!)
    if (event !== undefined) i += wait - 1
    else {
      const row = OPS[op]!
      const value = trace.value[e]!
      const hasValue = row.hasValue && value !== 0
      event = target === NONE ? (hasValue ? `${row.text}()` : row.text) : `${row.text}(${byOp[op]![target]!})`
      if (hasValue) event += `=${value > 0 ? values[value - 1]! : tables.values.textOf(value)}`
      held.follow(task, op, target)
    }
    const site = trace.site[e]!
    out += `${tasks[task]!}|${event}|${site === NONE ? '' : sites[site]!}\n`
    if (out.length > PIECE) {
      sink(out)
      out = ''
    }
  }
  if (out !== '') sink(out)
}

/** Undefined when a comma in a name would be read as the one that parts signal and lock: then the events are written one by one. */
function waitText(signal: string, lock: string): string | undefined {
  if (signal.includes(',') || lock.includes(',')) return undefined
  return signal === lock ? `wait(${signal})` : `wait(${signal},${lock})`
}

function some(names: Names, test: (name: string) => boolean): boolean {
  for (const name of names) if (test(name)) return true
  return false
}
