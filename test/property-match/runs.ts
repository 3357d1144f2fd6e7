/** Small runs for tests of matching: events as records, a trace made of them, and what must stay in order. */
import type { Run } from '../../src/property/instance.ts'
import { ANSWER, ARGUMENT, CALL, RETURN } from '../../src/trace/ops.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import type { Value } from '../../src/trace/values.ts'
import type { Trace } from '../../src/trace/trace.ts'

export interface Call {
  readonly task: number
  /** `Class.method`. */
  readonly name: string
  readonly target?: Value
  readonly args?: readonly Value[]
  readonly returns?: Value
  readonly when?: 'before' | 'after' | 'answered'
  readonly site?: string
}

const HEAD = { before: CALL, after: RETURN, answered: ANSWER } as const

/** A trace in the order given, and by call the number of its head. */
export function traceOf(calls: readonly Call[]): { trace: Trace; heads: number[] } {
  const builder = new TraceBuilder()
  const tasks = Math.max(0, ...calls.map((call) => call.task)) + 1
  for (let t = 0; t < tasks; t++) builder.task(`T${t}`)
  let stamp = 0
  for (const call of calls) {
    const site = builder.sites.intern(call.site ?? `${call.name} here`)
    const receiver = 'target' in call ? builder.values.codeOf(call.target) : 0
    builder.add(call.task, HEAD[call.when ?? 'before'], builder.names.intern(call.name), receiver, site, stamp++)
    const operand = (name: string, value: Value): void =>
      builder.add(call.task, ARGUMENT, builder.names.intern(name), builder.values.codeOf(value), site, stamp++)
    call.args?.forEach((value, i) => operand(String(i + 1), value))
    if ('returns' in call) operand('returns', call.returns)
  }
  const trace = builder.finish()
  const heads = [...trace.recordedOrder()].filter((e) => trace.op[e] !== ARGUMENT)
  return { trace, heads }
}

/** Threads; `must(a, b)`: a always comes before b. In a task that is always so. */
export function runOf(trace: Trace, order: Int32Array = trace.recordedOrder(), must: (a: number, b: number) => boolean = () => false): Run {
  const same = (a: number, b: number): boolean => trace.taskOf(a) === trace.taskOf(b)
  return {
    trace,
    order,
    mayPrecede: (a, b) => (same(a, b) ? a < b : !must(b, a)),
    sameTask: same,
    otherTask: (a, b) => !same(a, b),
    flow: (e) => trace.taskOf(e),
  }
}
