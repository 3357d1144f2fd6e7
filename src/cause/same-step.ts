/**
 * Which step of another run is this one? The same thread does the same at the same site for the n-th time. The number of a step alone does not do: it
 * shifts as soon as a thread waits once more or runs a loop once less.
 */
import { lineOf } from '../predict/loop/shape.ts'
import type { Joined } from '../trace/joined.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import type { Place } from './pairs.ts'

export function taskNamed(trace: Trace, label: string): TaskId {
  for (let t = 0; t < trace.taskCount; t++) if (trace.taskName(t) === label) return t
  return NONE
}

/** The first event of the step. */
export function eventOf({ trace, steps: { stepOf } }: Joined, { label, nth }: Pick<Place, 'label' | 'nth'>): EventId {
  const task = taskNamed(trace, label)
  if (task === NONE) return NONE
  for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) if (stepOf[e] === nth) return e
  return NONE
}

/** The step of `there` that is this one of `here`. Undefined where it has not come; the same number where it has no site. */
export function sameStep(here: Joined, place: Place, there: Joined): Place | undefined {
  const e = eventOf(here, place)
  if (e === NONE) return place
  const wanted = signOf(here, e)
  if (wanted === undefined) return place
  let nth = 0
  for (const step of stepsOf(here, place.label)) {
    if (signOf(here, step) === wanted) nth++
    if (step === e) break
  }
  for (const step of stepsOf(there, place.label))
    if (signOf(there, step) === wanted && --nth === 0) return { ...place, nth: there.steps.stepOf[step]! }
  return undefined
}

/** The first events of its steps, in order. */
function* stepsOf({ trace, steps: { stepOf } }: Joined, label: string): Generator<EventId> {
  const task = taskNamed(trace, label)
  if (task === NONE) return
  const end = trace.taskStart[task + 1]!
  for (let e = trace.taskStart[task]!; e < end; e++) if (e === trace.taskStart[task] || stepOf[e] !== stepOf[e - 1]) yield e
}

/** What a step does, and where. */
function signOf({ trace, steps: { stepOf }, vocabulary }: Joined, e: EventId): string | undefined {
  const site = trace.siteName(e).split(' < ')[0]!
  if (site === '') return undefined
  const end = trace.taskStart[trace.taskOf(e) + 1]!
  let to = e + 1
  while (to < end && stepOf[to] === stepOf[e]) to++
  return `${vocabulary.stepText(trace, e, to)} ${lineOf(site)}`
}
