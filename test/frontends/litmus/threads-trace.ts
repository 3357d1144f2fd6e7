/** From the steps taken to the input of the predictors: one trace of all threads, and the step of every event. */
import { TraceBuilder } from '../../../src/trace/builder.ts'
import type { Joined, Standing, StepsOf } from '../../../src/trace/joined.ts'
import { NONE } from '../../../src/trace/trace.ts'
import { NOT_OBSERVED } from '../../../src/trace/values.ts'
import type { Compiled } from './compile.ts'
import type { Taken } from './threads.ts'
import { LITMUS } from './vocabulary.ts'

export function joinedOf(program: Compiled, taken: readonly Taken[], stands: readonly Standing[] = []): Joined {
  const builder = new TraceBuilder()
  const tasks = program.units.map(({ name }) => builder.task(name))
  const stepsOf = tasks.map((): number[] => [])
  const count = new Int32Array(tasks.length)
  for (const { thread, site, events } of taken) {
    const step = ++count[thread]!
    for (const [op, target, value] of events) {
      builder.add(
        tasks[thread]!,
        op,
        target === undefined ? NONE : builder.targetOf(op, target),
        value === undefined ? NOT_OBSERVED : builder.values.codeOf(value),
        builder.sites.intern(site),
      )
      stepsOf[thread]!.push(step)
    }
  }
  const steps: StepsOf = { stepOf: Int32Array.from(stepsOf.flat()), count }
  return { vocabulary: LITMUS, trace: builder.finish({ source: 'litmus', branches: false }), steps, notes: [], stands }
}
