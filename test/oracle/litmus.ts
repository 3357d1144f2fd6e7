/**
 * A trace from lines `task event @label`, one event a line in recorded order; the label is optional and names the event afterwards. Only
 * for the oracle's own tests, which must not depend on the real text notation.
 */
import { TraceBuilder, type FinishFacts } from '../../src/trace/builder.ts'
import { OPS } from '../../src/trace/ops.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import { NOT_OBSERVED, parseValue } from '../../src/trace/values.ts'

export function litmus(text: string, facts: FinishFacts = {}): { trace: Trace; at: (label: string) => EventId } {
  const builder = new TraceBuilder()
  const counts: number[] = []
  const labels = new Map<string, { task: number; index: number }>()
  for (const line of text.split('\n').map((l) => l.trim())) {
    if (line === '') continue
    const match = /^(\w+)\s+(\w+)(?:\(([^)]*)\))?(?:=(\S+))?(?:\s+@(\w+))?$/.exec(line)
    if (!match) throw new Error(`not a litmus line: ${line}`)
    const [, taskName, opText, target, value, label] = match
    const op = OPS.findIndex((row) => row.text === opText)
    if (op < 0) throw new Error(`no such op: ${opText}`)
    const task = builder.task(taskName!)
    const index = counts[task] ?? 0
    counts[task] = index + 1
    if (label !== undefined) labels.set(label, { task, index })
    const code = value === undefined ? NOT_OBSERVED : builder.values.codeOf(parseValue(value))
    builder.add(task, op, builder.targetOf(op, target ?? ''), code)
  }
  const trace = builder.finish({ source: 'litmus', ...facts })
  return {
    trace,
    at: (label) => {
      const found = labels.get(label)
      if (!found) throw new Error(`no event labelled ${label}`)
      return trace.taskStart[found.task]! + found.index
    },
  }
}
