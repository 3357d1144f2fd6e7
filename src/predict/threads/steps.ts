/**
 * Steps of threads in a joined trace (docs/workers.md): which events are one step, what it is in the word a schedule has for it, and where. Asked
 * of the trace in which locks made by hand are still the updates and stores that the program does.
 */
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_READ,
  ATOMIC_WRITE,
  BEGIN,
  CALL,
  END,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  READ,
  RELEASE_SHARED,
  TURN_BEGIN,
  TURN_END,
  UPDATE,
  WAKE,
  WRITE,
} from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'
import { nativeStepText } from './native-steps.ts'

/** Events that come with a step and are none. */
export const isAside = (op: number): boolean => op === TURN_BEGIN || op === TURN_END || op === CALL

export class Steps {
  /** `native`: threads of a native program, whose steps are records of its runtime. */
  constructor(
    readonly trace: Trace,
    readonly stepOf: Int32Array,
    readonly native = false,
  ) {}

  /** The events of a step, from and up to. Steps that touch nothing shared have none. */
  range(task: TaskId, step: number): readonly [EventId, EventId] {
    return [this.firstFrom(task, step), this.firstFrom(task, step + 1)]
  }

  text(task: TaskId, step: number): string {
    const [from, to] = this.range(task, step)
    return this.native ? nativeStepText(this.trace, from, to) : stepText(this.trace, from, to)
  }

  /** Where its first event that says so is. */
  site(task: TaskId, step: number): string {
    const [from, to] = this.range(task, step)
    for (let e = from; e < to; e++) if (this.trace.site[e] !== NONE) return this.trace.siteName(e).split(' < ')[0]!
    return ''
  }

  /** How many steps the thread took, as far as it has events. */
  count(task: TaskId): number {
    const end = this.trace.taskStart[task + 1]!
    return end === this.trace.taskStart[task] ? 0 : this.stepOf[end - 1]!
  }

  /** Where waits timed out. Native programs keep to their clocks. */
  sleeps(): string[] {
    const { trace, stepOf } = this
    if (this.native) return []
    const places = new Set<string>()
    for (let t = 0; t < trace.taskCount; t++) {
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const mayBe = trace.op[e] === RELEASE_SHARED || trace.op[e] === CALL
        if (mayBe && this.text(t, stepOf[e]!) === 'timed out') places.add(this.site(t, stepOf[e]!))
      }
    }
    return [...places].filter((place) => place !== '').sort()
  }

  /** The first event of the task in this step or a later one. */
  private firstFrom(task: TaskId, step: number): EventId {
    let lo = this.trace.taskStart[task]!
    let hi = this.trace.taskStart[task + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.stepOf[mid]! < step) lo = mid + 1
      else hi = mid
    }
    return lo
  }
}

/** The word for a step, from its events. A compare and exchange, or a wait, that saw another value is a load. */
export function stepText(trace: Trace, from: EventId, to: EventId): string {
  const has = (...ops: number[]): EventId => {
    for (let e = from; e < to; e++) if (ops.includes(trace.op[e]!)) return e
    return NONE
  }
  if (has(BEGIN) !== NONE) return 'begin'
  if (has(END) !== NONE) return 'end'
  if (has(FORK) !== NONE) return 'fork'
  if (has(JOIN) !== NONE) return 'join'
  const wake = has(WAKE)
  if (wake !== NONE) {
    const signal = trace.targetName(wake)
    return signal.startsWith('message ') ? 'receive' : 'woken'
  }
  if (has(ACQUIRE_SHARED) !== NONE) return 'wait'
  if (has(RELEASE_SHARED) !== NONE) return 'timed out'
  if (has(ACQUIRE) !== NONE) return 'notify'
  const notify = has(NOTIFY, NOTIFY_ALL)
  if (notify !== NONE) return 'post'
  if (has(UPDATE) !== NONE) return 'update'
  if (has(ATOMIC_WRITE) !== NONE) return 'store'
  if (has(ATOMIC_READ) !== NONE) return 'load'
  if (has(WRITE) !== NONE) return 'write'
  if (has(READ) !== NONE) return 'read'
  const call = has(CALL)
  return call !== NONE && trace.targetName(call) === 'timed out' ? 'timed out' : ''
}
