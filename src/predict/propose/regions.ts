/**
 * Regions that are meant to be atomic: critical sections, function executions (enter … exit), marked regions, and, as the widest, the turns of a
 * thread's event loop (turn … turnEnd; a turn also ends where the next one begins). Two events of a task belong together when some region
 * holds both.
 */
import { ATOMIC_BEGIN, ATOMIC_END, ENTER, EXIT, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import { GrowInt32 } from '../../base/grow.ts'
import { lowerBound } from '../../base/lower-bound.ts'

/** What a region is, beside the name or lock it has. */
const SECTION = 0
const FUNCTION = 1
const MARKED = 2
const TURN = 3

export class Regions {
  /** Per task, by begin: begin, end (the last event inside; the end of the task where it never closes), and what it is. */
  private readonly begin: Int32Array[] = []
  private readonly end: Int32Array[] = []
  private readonly outer: Int32Array[] = []
  /** Four times the name or lock, plus what it is. */
  private readonly what: Int32Array[] = []
  private readonly labels = new Map<number, string>()
  private readonly trace: Trace

  constructor(causality: Causality) {
    const { trace, sections } = causality
    const { op, target } = trace
    this.trace = trace
    let section = 0
    for (let t = 0; t < trace.taskCount; t++) {
      const last = trace.taskStart[t + 1]! - 1
      const [begin, end, what] = [new GrowInt32(), new GrowInt32(), new GrowInt32()]
      const open = (e: EventId, until: EventId, kind: number, name: number): void => {
        begin.push(e)
        end.push(until)
        what.push(4 * name + kind)
      }
      let turn = NONE // the number of the one under way
      const entered: { number: number; closes: number; name: number }[] = []
      for (let e = trace.taskStart[t]!; e <= last; e++) {
        if (section < sections.count && sections.acquire[section] === e) {
          const release = sections.release[section]!
          open(e, release === NONE ? last : release, SECTION, sections.lock[section]!)
          section++
          continue
        }
        const o = op[e]
        if (o === ENTER || o === ATOMIC_BEGIN) {
          entered.push({ number: begin.length, closes: o === ENTER ? EXIT : ATOMIC_END, name: target[e]! })
          open(e, last, o === ENTER ? FUNCTION : MARKED, target[e]!)
        } else if (o === EXIT || o === ATOMIC_END) {
          // Exits match the innermost entry of their kind and name; what was entered above it ended by an exception.
          const at = entered.findLastIndex((one) => one.closes === o && one.name === target[e])
          if (at < 0) continue
          while (entered.length > at) end.set(entered.pop()!.number, e)
        } else if (o === TURN_BEGIN || o === TURN_END) {
          if (turn !== NONE) end.set(turn, e)
          turn = o === TURN_BEGIN ? begin.length : NONE
          if (o === TURN_BEGIN) open(e, last, TURN, NONE)
        }
      }
      this.begin.push(begin.view())
      this.end.push(end.view())
      this.outer.push(outerOf(end.view()))
      this.what.push(what.view())
    }
  }

  /** The region of the task that began last among those that hold both events (a before b), as a label; undefined when none does. */
  around(task: TaskId, a: EventId, b: EventId): string | undefined {
    const end = this.end[task]!
    const outer = this.outer[task]!
    let k = lowerBound(this.begin[task]!, a + 1) - 1
    while (k >= 0 && end[k]! < b) k = outer[k]!
    return k < 0 ? undefined : this.label(this.what[task]![k]!)
  }

  private label(what: number): string {
    let label = this.labels.get(what)
    if (label === undefined) this.labels.set(what, (label = labelOf(this.trace, what & 3, what >> 2)))
    return label
  }
}

function labelOf({ tables }: Trace, kind: number, name: number): string {
  if (kind === SECTION) return `the section of lock ${tables.locks.at(name)}`
  if (kind === TURN) return 'one turn'
  if (name === NONE) return 'a region'
  return kind === FUNCTION ? `function ${tables.names.at(name)}` : `region ${tables.names.at(name)}`
}

/** Per region, the nearest earlier one that ends later (-1: none): those in between end no later, so a search may skip them. */
function outerOf(end: Int32Array): Int32Array {
  const outer = new Int32Array(end.length)
  for (let k = 0; k < end.length; k++) {
    let j = k - 1
    while (j >= 0 && end[j]! <= end[k]!) j = outer[j]!
    outer[k] = j
  }
  return outer
}
