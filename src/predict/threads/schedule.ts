/**
 * From a witness to the lines of a schedule: which thread runs up to which step. First what the witness runs, then what the candidate demands next,
 * in the order that breaks it. What comes after that is left to the program.
 */
import { SCHEDULE_VERSION, type StepSchedule, type ThreadStep, type Timers } from '../../schedule/schedule.ts'
import { RELEASE } from '../../trace/ops.ts'
import { type EventId, type TaskId, type Trace } from '../../trace/trace.ts'
import { lineOf } from '../loop/shape.ts'
import type { Numbers } from './numbering.ts'
import type { ThreadProposal } from './propose.ts'
import type { Steps } from './steps.ts'

export interface Threads {
  /** With locks made by hand as locks: what is decided and checked. */
  readonly trace: Trace
  /** The step of every event of it. */
  readonly stepOf: Int32Array
  /** As the threads were recorded. */
  readonly steps: Steps
  readonly numbering: Numbers
  /** Places where waits timed out. */
  readonly sleeps: readonly string[]
  /** Or is `trace` only the beginning of the run? */
  readonly isWhole: boolean
  /** Reads of `trace` that are free. */
  readonly free?: Uint8Array | undefined
}

/** `next`: the events demanded next, each the first of its step. */
export function scheduleOf(
  threads: Threads,
  candidate: ThreadProposal,
  order: Int32Array,
  next: readonly EventId[],
  options: { readonly command: readonly string[]; readonly timers: Timers },
): StepSchedule {
  const { trace, stepOf } = threads
  const ends: EventId[] = [] // the last event of each line
  let last = -1
  const run = (e: EventId, anew: boolean): void => {
    const task = trace.taskOf(e)
    if (task === last && !anew) ends.pop()
    ends.push(e)
    last = task
  }
  for (let i = 0; i < order.length; i++) {
    if (i + 1 === order.length || order[i + 1] !== order[i]! + 1 || trace.taskOf(order[i + 1]!) !== trace.taskOf(order[i]!))
      run(order[i]!, false)
  }
  const tail = tailOf(candidate, next)
  // A time-out passes on its own: before it the thread is seen to wait.
  for (const e of tail) run(e, candidate.timesOut === true)
  const steps: ThreadStep[] = []
  const reached = new Map<TaskId, number>()
  for (const e of ends) {
    const task = trace.taskOf(e)
    const from = reached.get(task) ?? 0
    reached.set(task, stepOf[e]!)
    if (!threads.steps.vocabulary.countsAll && comesByItself(threads, task, from, stepOf[e]!)) continue
    const isTail = tail.includes(e)
    const timesOut = candidate.timesOut === true && isTail
    // What stood between two stretches of the thread may come by itself.
    if (steps.at(-1)?.task === trace.taskName(task) && !timesOut) steps.pop()
    steps.push(line(threads, e, timesOut, isTail ? candidate.instead : undefined))
  }
  if (candidate.close) for (const e of next.filter((e) => !tail.includes(e))) goClose(threads, steps, e)
  return {
    heddle: SCHEDULE_VERSION,
    command: options.command,
    timers: options.timers,
    kind: 'steps',
    steps,
    ...(candidate.goesOn ? { goesOn: true } : {}),
    ...(threads.sleeps.length === 0 ? {} : { sleeps: threads.sleeps }),
  }
}

/** Lengthens the last line of the event's thread up to the step right before it. */
function goClose({ trace, stepOf, numbering }: Threads, steps: ThreadStep[], e: EventId): void {
  const task = trace.taskOf(e)
  const name = trace.taskName(task)
  const at = steps.findLastIndex((step) => step.task === name)
  const upTo = numbering.inReplay(task, stepOf[e]!) - 1
  if (at < 0 || steps[at]!.upTo >= upTo) return
  steps[at] = { task: name, upTo, does: '', site: '', note: `${name} goes on up to its step ${upTo}` }
}

/** What is run of the demanded: the two of a race against their recorded order; nothing where the threads block there. */
export function tailOf({ kind, runs, match }: ThreadProposal, next: readonly EventId[]): readonly EventId[] {
  if (kind === 'deadlock') return []
  return kind === 'data-race' || match?.parallel ? next.toReversed() : next.slice(0, runs)
}

const BY_ITSELF = new Set(['begin', 'end'])

/** Nothing holds these steps back: they tell of what has happened. A line of them alone might wait for what is past. */
function comesByItself({ steps }: Threads, task: TaskId, from: number, to: number): boolean {
  for (let step = from + 1; step <= to; step++) if (!BY_ITSELF.has(steps.text(task, step))) return false
  return true
}

/** `instead`: what the thread hears of in the place of the event. */
function line({ trace, stepOf, steps, numbering }: Threads, e: EventId, timesOut: boolean, instead: EventId | undefined): ThreadStep {
  const task = trace.taskOf(e)
  const step = stepOf[e]!
  const shown = instead === undefined ? numbering.firstAttempt(task, step) : stepOf[instead]!
  // Of a take that was tried before, the first attempt will do it.
  const takes = instead === undefined && shown !== step && trace.op[e] !== RELEASE
  const does = timesOut ? 'timed out' : takes ? 'update' : steps.text(task, shown)
  const site = steps.site(task, shown)
  const upTo = numbering.inReplay(task, step)
  const name = trace.taskName(task)
  return {
    task: name,
    upTo,
    does,
    site,
    ...(timesOut ? { timesOut } : {}),
    note: `${name} goes on up to its step ${upTo}: ${does}${site === '' ? '' : ` at ${lineOf(site)}`}`,
  }
}
