/**
 * Step numbers in the replay. If a cell is a lock made by hand, a witness contains no failed attempts at it, no waits and no wake-ups, because every
 * lock is free when it is taken. They do not happen in the replay either. So the steps after them are counted without them, and a take is expected
 * where the first attempt was made.
 */
import { RELEASE } from '../../trace/ops.ts'
import type { TaskId, Trace } from '../../trace/trace.ts'
import { lowerBound } from '../../base/lower-bound.ts'
import type { Gone } from './spins.ts'
import { isAside, type Steps } from './steps.ts'

export interface Numbers {
  /** The number that a recorded step will have. */
  inReplay(task: TaskId, step: number): number
  /** The first attempt at what the step did in the end: a number of a recorded step. */
  firstAttempt(task: TaskId, step: number): number
}

/** Where every step is counted (spins.ts): the take itself is made in the replay, at the first attempt. */
export class CountedNumbers implements Numbers {
  constructor(private readonly gone: readonly Gone[]) {}

  inReplay(task: TaskId, step: number): number {
    const { step: from, count } = this.gone[task]!
    const before = lowerBound(from, step + 1)
    return before === 0 ? step : step - count[before - 1]!
  }

  firstAttempt(_task: TaskId, step: number): number {
    return step
  }
}

export class Numbering implements Numbers {
  /** Per task, rising: steps that are left out of the witness. */
  private readonly gone: Int32Array[] = []
  /** Of these, those that will come all the same. */
  private readonly come: Int32Array[] = []

  constructor(
    private readonly steps: Steps,
    trace: Trace,
    stepOf: Int32Array,
  ) {
    for (let t = 0; t < trace.taskCount; t++)
      this.gone.push(t < steps.trace.taskCount ? goneSteps(steps, trace, stepOf, t) : new Int32Array(0))
    const always = this.notifiesAlways(trace, stepOf)
    for (const [t, gone] of this.gone.entries())
      this.come.push(gone.filter((step) => steps.text(t, step) === 'notify' && always.has(signalOf(steps, t, step))))
  }

  /** The number that a recorded step will have. */
  inReplay(task: TaskId, step: number): number {
    return step - lowerBound(this.gone[task]!, step) + lowerBound(this.come[task]!, step)
  }

  /** The first attempt at what the step did in the end: a number of a recorded step. */
  firstAttempt(task: TaskId, step: number): number {
    const gone = this.gone[task]!
    let at = lowerBound(gone, step) - 1
    let first = step
    while (at >= 0 && gone[at] === first - 1 && this.steps.text(task, gone[at]!) !== 'notify') first = gone[at--]!
    return first
  }

  /** Is there a notify after every release of a lock, whether somebody waits or not? The signals of those locks. */
  private notifiesAlways(trace: Trace, stepOf: Int32Array): Set<string> {
    const always = new Map<string, boolean>()
    if (this.gone.every((gone) => gone.length === 0)) return new Set()
    for (let t = 0; t < trace.taskCount; t++) {
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        if (trace.op[e] !== RELEASE) continue
        const [from, to] = this.steps.range(t, stepOf[e]!)
        let cell = ''
        for (let o = from; o < to; o++) if (!isAside(this.steps.trace.op[o]!)) cell = this.steps.trace.targetName(o)
        const next = this.gone[t]![lowerBound(this.gone[t]!, stepOf[e]! + 1)]
        const follows = next === stepOf[e]! + 1 && this.steps.text(t, next) === 'notify'
        always.set(cell, (always.get(cell) ?? true) && follows)
      }
    }
    return new Set([...always].filter(([, yes]) => yes).map(([cell]) => cell))
  }
}

function goneSteps(steps: Steps, trace: Trace, stepOf: Int32Array, task: TaskId): Int32Array {
  const original = steps.trace
  const gone: number[] = []
  if (original === trace) return new Int32Array(0)
  let kept = trace.taskStart[task]!
  const end = trace.taskStart[task + 1]!
  for (let e = original.taskStart[task]!; e < original.taskStart[task + 1]!; e++) {
    const step = steps.stepOf[e]!
    if (isAside(original.op[e]!) || gone.at(-1) === step) continue
    while (kept < end && (stepOf[kept]! < step || isAside(trace.op[kept]!))) kept++
    if (kept === end || stepOf[kept] !== step) gone.push(step)
  }
  return Int32Array.from(gone)
}

/** The cell that a notify is about. */
function signalOf(steps: Steps, task: TaskId, step: number): string {
  const [from, to] = steps.range(task, step)
  for (let e = from; e < to; e++) {
    const name = steps.trace.targetName(e)
    if (name !== '' && !isAside(steps.trace.op[e]!)) return name.replace(/^waiters of /, '')
  }
  return ''
}
