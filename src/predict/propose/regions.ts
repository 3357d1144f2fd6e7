/**
 * Regions that are meant to be atomic: critical sections, function executions (enter … exit), marked regions, and, as the widest, the turns of a
 * thread's event loop (turn … turnEnd; a turn also ends where the next one begins). Two events of a task belong together when some region
 * holds both.
 */
import { ATOMIC_BEGIN, ATOMIC_END, ENTER, EXIT, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId } from '../../trace/trace.ts'
import type { Causality } from '../../causal/causality.ts'
import { lowerBound } from '../../base/lower-bound.ts'

export class Regions {
  /** Per task, by begin: [begin, end, label]; end is the last event inside (the end of the task where it never closes). */
  private readonly begin: Int32Array[] = []
  private readonly end: Int32Array[] = []
  private readonly outer: Int32Array[] = []
  private readonly label: string[][] = []

  constructor(causality: Causality) {
    const { trace, sections } = causality
    let section = 0
    for (let t = 0; t < trace.taskCount; t++) {
      const last = trace.taskStart[t + 1]! - 1
      const found: { begin: number; end: number; label: string }[] = []
      for (; section < sections.count && sections.task[section] === t; section++) {
        const release = sections.release[section]!
        found.push({
          begin: sections.acquire[section]!,
          end: release === NONE ? last : release,
          label: `the section of lock ${trace.tables.locks.at(sections.lock[section]!)}`,
        })
      }
      let turn = NONE // the index in `found` of the one under way
      const open: { index: number; closes: number; name: number }[] = []
      for (let e = trace.taskStart[t]!; e <= last; e++) {
        const op = trace.op[e]
        const name = trace.target[e]!
        if (op === ENTER || op === ATOMIC_BEGIN) {
          const what =
            name === NONE ? 'a region' : op === ENTER ? `function ${trace.tables.names.at(name)}` : `region ${trace.tables.names.at(name)}`
          open.push({ index: found.length, closes: op === ENTER ? EXIT : ATOMIC_END, name })
          found.push({ begin: e, end: last, label: what })
        } else if (op === EXIT || op === ATOMIC_END) {
          // Exits match the innermost entry of their kind and name; what was entered above it ended by an exception.
          const at = open.findLastIndex((o) => o.closes === op && o.name === name)
          if (at < 0) continue
          for (const o of open.splice(at)) found[o.index]!.end = e
        } else if (op === TURN_BEGIN || op === TURN_END) {
          if (turn !== NONE) found[turn]!.end = e
          turn = op === TURN_BEGIN ? found.length : NONE
          if (op === TURN_BEGIN) found.push({ begin: e, end: last, label: 'one turn' })
        }
      }
      found.sort((a, b) => a.begin - b.begin)
      this.begin.push(Int32Array.from(found, (r) => r.begin))
      this.end.push(Int32Array.from(found, (r) => r.end))
      this.outer.push(outerOf(this.end[t]!))
      this.label.push(found.map((r) => r.label))
    }
  }

  /** The region of the task that began last among those that hold both events (a before b), as a label; undefined when none does. */
  around(task: TaskId, a: EventId, b: EventId): string | undefined {
    const end = this.end[task]!
    const outer = this.outer[task]!
    let k = lowerBound(this.begin[task]!, a + 1) - 1
    while (k >= 0 && end[k]! < b) k = outer[k]!
    return k < 0 ? undefined : this.label[task]![k]
  }
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
