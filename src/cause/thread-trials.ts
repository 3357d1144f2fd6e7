/**
 * The two experiments of loop-trials.ts on threads. Both take the order of a run and pause one thread until another has reached its step: in the
 * failing order the thread that came too early, in the recorded order the one that came first. A thread that has a lock which the other needs pauses
 * before it takes the lock.
 */
import { scheduleInOrder } from '../predict/threads/as-recorded.ts'
import type { StepSchedule, ThreadStep } from '../schedule/schedule.ts'
import type { Joined } from '../trace/joined.ts'
import { BEGIN, FORK, JOIN, NOTIFY, NOTIFY_ALL, WAKE, isAcquire, isRead, isRelease, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import type { Pair, Place } from './pairs.ts'
import { eventOf, sameStep, taskNamed } from './same-step.ts'

/** An experiment, and the line with which the pair has come about. */
export interface StepTrial {
  readonly schedule: StepSchedule
  readonly lines: number
}

/** Lines of an experiment at most: more are slow, and seldom carried out. */
const MOST_LINES = 400
/** Events between the read and the write of one update at most. */
const FAR = 64

/** Of a write, the read before it that belongs to it, in the same thread: where an update begins. Else the step itself. */
export function updateOf(joined: Joined, place: Place): Place {
  const { trace, steps } = joined
  const e = eventOf(joined, place)
  if (e === NONE || !isWrite(trace.op[e]!) || isRead(trace.op[e]!)) return place
  for (let k = e - 1; k >= trace.taskStart[trace.taskOf(e)]! && k > e - FAR; k--) {
    if (trace.target[k] !== trace.target[e] || (!isRead(trace.op[k]!) && !isWrite(trace.op[k]!))) continue
    return isWrite(trace.op[k]!) ? place : { ...place, nth: steps.stepOf[k]! }
  }
  return place
}

/** As the failing run, but for the pair: who came too early stands until the other has come, and then all goes on as it did. */
export function asRecorded(recorded: Joined, failing: Joined, schedule: StepSchedule, pair: Pair): StepTrial | undefined {
  const { first } = pair
  const second = sameStep(recorded, pair.second, failing)
  if (!second) return undefined
  const there = sameStep(recorded, first, failing)
  if (there && eventOf(failing, there) !== NONE) return inOrder(failing, schedule, second, there)
  // The first has not come at all in the failing run: it goes on to it now.
  const before = stoppedBefore(failing, second, first)
  const lines = [lineUpTo(recorded, first), lineUpTo(failing, second)]
  if (!before || !lines[0] || !lines[1]) return undefined
  const all = [...before, lines[0], lines[1]]
  return { schedule: { ...schedule, steps: withRest(all, schedule.steps) }, lines: all.length }
}

/** As the recorded run, but for the pair. */
export const alone = (recorded: Joined, schedule: StepSchedule, { first, second }: Pair): StepTrial | undefined =>
  inOrder(recorded, schedule, first, second)

/** The order of a run, in which the thread of `stopped` stands until `other` has come. */
function inOrder(joined: Joined, schedule: StepSchedule, stopped: Place, other: Place): StepTrial | undefined {
  const { trace } = joined
  const at = eventOf(joined, stopped)
  const [end, until] = [lastOf(joined, stopped), lastOf(joined, other)]
  if (at === NONE || until === NONE) return undefined
  const parked = new Parked(trace, standsBefore(trace, at, until, trace.taskOf(until)))
  const early: EventId[] = []
  const stopping: EventId[] = []
  const late: EventId[] = []
  let reached = false
  for (const e of trace.recordedOrder()) {
    if (reached) late.push(e)
    else if (parked.stops(e)) stopping.push(e)
    else early.push(e)
    if (e === until) {
      if (early.at(-1) !== e) return undefined
      reached = true
    }
  }
  const rest = [...stopping, ...late]
  const upTo = rest.indexOf(end) + 1
  const pair = scheduleInOrder(joined, Int32Array.from([...early, ...rest.slice(0, upTo)]), schedule)
  const whole = scheduleInOrder(joined, Int32Array.from([...early, ...rest]), schedule)
  if (!pair || !whole || pair.steps.length > MOST_LINES) return undefined
  const { goesOn, lastFirst } = schedule
  const rules = { ...(goesOn ? { goesOn } : {}), ...(lastFirst ? { lastFirst } : {}) }
  return { schedule: { ...whole, ...rules, steps: whole.steps.slice(0, MOST_LINES) }, lines: Math.max(1, pair.steps.length - 1) }
}

/** The lines of a run up to where `stopped` would come, without what its thread does from the place on where it stands for the sake of `other`. */
function stoppedBefore(joined: Joined, stopped: Place, other: Place): readonly ThreadStep[] | undefined {
  const { trace } = joined
  const at = eventOf(joined, stopped)
  if (at === NONE) return undefined
  const parked = new Parked(trace, standsBefore(trace, at, NONE, taskNamed(trace, other.label)))
  const early: EventId[] = []
  for (const e of trace.recordedOrder()) {
    if (e === at) break
    if (!parked.stops(e)) early.push(e)
  }
  const made = scheduleInOrder(joined, Int32Array.from(early), { command: [], timers: 'due' })
  return made && made.steps.length <= MOST_LINES ? made.steps : undefined
}

/** The thread of `at` has locks there. If the other needs one of them on its way, it stands before it takes that one. */
function standsBefore(trace: Trace, at: EventId, other: EventId, task: TaskId): EventId {
  const held = new Map<number, EventId>()
  for (let e = trace.taskStart[trace.taskOf(at)]!; e < at; e++) {
    const op = trace.op[e]!
    if (isAcquire(op) && !held.has(trace.target[e]!)) held.set(trace.target[e]!, e)
    else if (isRelease(op)) held.delete(trace.target[e]!)
  }
  if (task === NONE) return at
  const end = other === NONE ? trace.taskStart[task + 1]! : other + 1
  let from = at
  for (let e = trace.taskStart[task]!; e < end; e++) {
    const since = isAcquire(trace.op[e]!) ? held.get(trace.target[e]!) : undefined
    if (since !== undefined) from = Math.min(from, since)
  }
  return from
}

/** What cannot go on while a thread stands: itself, and those that need what it would do. */
class Parked {
  private readonly since = new Map<TaskId, EventId>()
  private readonly locks = new Set<number>()
  private readonly signals = new Set<number>()
  private readonly forked = new Set<number>()

  constructor(
    private readonly trace: Trace,
    from: EventId,
  ) {
    this.park(from)
  }

  stops(e: EventId): boolean {
    const { trace } = this
    const since = this.since.get(trace.taskOf(e))
    if (since !== undefined) return e >= since
    const op = trace.op[e]!
    const target = trace.target[e]!
    const needs =
      (isAcquire(op) && this.locks.has(target)) ||
      (op === JOIN && this.since.has(target)) ||
      (op === WAKE && this.signals.has(target)) ||
      (op === BEGIN && this.forked.has(trace.taskOf(e)))
    if (needs) this.park(e)
    return needs
  }

  private park(from: EventId): void {
    const { trace } = this
    const task = trace.taskOf(from)
    this.since.set(task, from)
    const held = new Set<number>()
    for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
      const op = trace.op[e]!
      const target = trace.target[e]!
      if (e < from && isAcquire(op)) held.add(target)
      else if (e < from && isRelease(op)) held.delete(target)
      else if (e >= from && (op === NOTIFY || op === NOTIFY_ALL)) this.signals.add(target)
      else if (e >= from && op === FORK) this.forked.add(target)
    }
    for (const lock of held) this.locks.add(lock)
  }
}

/** Lines of the schedule that go further than these. */
function withRest(lines: readonly ThreadStep[], rest: readonly ThreadStep[]): ThreadStep[] {
  const reached = new Map<string, number>()
  for (const { task, upTo } of lines) reached.set(task, Math.max(upTo, reached.get(task) ?? 0))
  return [...lines, ...rest.filter(({ task, upTo }) => upTo > (reached.get(task) ?? 0))]
}

function lineUpTo(joined: Joined, place: Place): ThreadStep | undefined {
  const e = lastOf(joined, place)
  if (e === NONE) return undefined
  const { trace } = joined
  const own = Array.from({ length: e + 1 - trace.taskStart[trace.taskOf(e)]! }, (_, i) => trace.taskStart[trace.taskOf(e)]! + i)
  return scheduleInOrder(joined, Int32Array.from(own), { command: [], timers: 'due' })?.steps.at(-1)
}

function lastOf(joined: Joined, place: Place): EventId {
  const { trace, steps } = joined
  let e = eventOf(joined, place)
  if (e === NONE) return NONE
  const end = trace.taskStart[trace.taskOf(e) + 1]!
  while (e + 1 < end && steps.stepOf[e + 1] === place.nth) e++
  return e
}
