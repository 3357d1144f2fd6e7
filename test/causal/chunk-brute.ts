/** Every order of a small symbolic trace that the checker lets pass, and for each branch that comes out otherwise in one of them: the first such order. */
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'
import { BRANCH, isRead, isWrite } from '../../src/trace/ops.ts'
import type { EventId } from '../../src/trace/trace.ts'
import { PathChecker } from '../../src/witness/paths.ts'

const MOST_STATES = 200_000

export function flips(symbolic: SymbolicTrace): Map<EventId, Int32Array> {
  const { trace } = symbolic
  const checker = new PathChecker(symbolic)
  const found = new Map<EventId, Int32Array>()
  const visited = new Set<string>()
  const todo: EventId[][] = [[]]
  for (let order = todo.pop(); order; order = todo.pop()) {
    const key = stateOf(symbolic, order)
    if (visited.has(key)) continue
    visited.add(key)
    if (visited.size > MOST_STATES) throw new Error('too large a trace to try everything')
    const done = new Int32Array(trace.taskCount)
    for (const e of order) done[trace.taskOf(e)]!++
    for (let t = 0; t < trace.taskCount; t++) {
      const e = trace.taskStart[t]! + done[t]!
      if (e >= trace.taskStart[t + 1]!) continue
      if (trace.op[e] === BRANCH && !found.has(e) && !('rule' in checker.check(Int32Array.from(order), e)))
        found.set(e, Int32Array.from(order))
      if (!checker.keeps(Int32Array.from([...order, e]))) todo.push([...order, e])
    }
  }
  return found
}

/** How far each task is, what its reads saw and what stands in memory; the order of everything else, where there are locks and signals. */
function stateOf({ trace }: SymbolicTrace, order: readonly EventId[]): string {
  const last = new Map<number, EventId>()
  const parts: string[] = []
  for (const e of order) {
    if (isWrite(trace.op[e]!)) last.set(trace.target[e]!, e)
    else if (isRead(trace.op[e]!)) parts.push(`${e}<${last.get(trace.target[e]!)}`)
    else parts.push(`${e}`)
  }
  const signals = trace.tables.signals.size > 0 ? order.filter((e) => !isRead(trace.op[e]!) && !isWrite(trace.op[e]!)) : []
  return [...parts.sort(), [...last.values()].join(' '), order.length, signals.join(' ')].join(',')
}
