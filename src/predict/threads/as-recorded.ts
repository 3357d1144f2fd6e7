/** The schedule of a run of threads as it was recorded: every change from one thread to another, in its order. */
import { noDemands } from '../propose/group.ts'
import type { Joined } from '../../trace/joined.ts'
import type { StepSchedule } from '../../schedule/schedule.ts'
import { CountedNumbers, Numbering } from './numbering.ts'
import { scheduleOf } from './schedule.ts'
import { Steps } from './steps.ts'

/** Longer ones say nothing to anybody, and are carried out slowly. */
const MOST_LINES = 20_000

/** Undefined where the run changes from thread to thread too often. */
export const scheduleAsRecorded = (joined: Joined, options: Pick<StepSchedule, 'command' | 'timers'>): StepSchedule | undefined =>
  scheduleInOrder(joined, Int32Array.from(joined.trace.recordedOrder()), options)

/** The same of its events in another order. */
export function scheduleInOrder(
  { trace, steps: { stepOf }, vocabulary }: Joined,
  order: Int32Array,
  options: Pick<StepSchedule, 'command' | 'timers'>,
): StepSchedule | undefined {
  const steps = new Steps(trace, stepOf, vocabulary)
  const numbering = vocabulary.countsAll
    ? new CountedNumbers(Array.from(trace.tables.tasks, () => ({ step: [], count: [] })))
    : new Numbering(steps, trace, stepOf)
  const nothing = { ...noDemands, kind: 'order-violation', pattern: '', events: [], runs: 0 } as const
  const schedule = scheduleOf({ trace, stepOf, steps, numbering, sleeps: steps.sleeps(), isWhole: true }, nothing, order, [], options)
  return schedule.steps.length <= MOST_LINES ? schedule : undefined
}
