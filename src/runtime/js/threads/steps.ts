/**
 * Steps: everything a thread does that other threads can notice. A step waits for its turn (in a replay), locks the clock of its cell, performs the
 * operation, gets its stamp, and is recorded.
 */
import type { Stream } from './stream.ts'
import { add, clockSlot, control, lock, PROGRESS, unlock } from './control.ts'

/** What a step is. The words are those of schedules. */
export type StepKind =
  | 'read'
  | 'write'
  | 'load'
  | 'store'
  | 'update'
  | 'wait'
  | 'woken'
  | 'timed out'
  | 'notify'
  | 'post'
  | 'receive'
  | 'fork'
  | 'begin'
  | 'end'
  | 'join'

/** Who decides when steps are taken: only in replays. */
export interface Gate {
  /** Returns when step number `n` of this thread may be taken. `site` is one of instrumented code, or -1. */
  before(n: number, kind: StepKind, site: number): void
  after(n: number): void
  /** The thread goes round in a circle of reads, `rounds` of them since its last step; this one is of the cell with this number. */
  spins(rounds: number, cell: number, site: number): void
}

/** Lamport time of this thread. */
export let clock = 0
/** Steps taken. */
export let taken = 0
export let gate: Gate | undefined
/** Absent in replays, but for those that are drawn. */
export let stream: Stream | undefined
export let ownTask: { readonly name: string; readonly id: number } = { name: 'main', id: 0 }

export function startSteps(task: typeof ownTask, into: Stream | undefined): void {
  ownTask = task
  stream = into
}

export function setGate(by: Gate): void {
  gate = by
}

export function advance(to: number): void {
  if (to > clock) clock = to
}

/** Begins a step on a cell: its clock is locked when this returns. Nothing of the program may run until `leave`. */
export function enter(stripe: number, kind: StepKind, site: number): void {
  if (gate !== undefined) gate.before(taken + 1, kind, site)
  const time = lock(stripe)
  clock = (time > clock ? time : clock) + 1
  if (stream !== undefined) stream.stamp = clock
}

export function leave(stripe: number): void {
  unlock(stripe, clock)
  done()
}

/** The same on several cells: `stripes` are sorted and none stands twice. */
export function enterAll(stripes: readonly number[], kind: StepKind, site: number): void {
  if (gate !== undefined) gate.before(taken + 1, kind, site)
  for (const stripe of stripes) {
    const time = lock(stripe)
    if (time > clock) clock = time
  }
  clock++
  if (stream !== undefined) stream.stamp = clock
}

export function leaveAll(stripes: readonly number[]): void {
  for (const stripe of stripes) unlock(stripe, clock)
  done()
}

/** The same when nothing was done after all. */
export function leaveWithoutStep(stripes: readonly number[]): void {
  for (const stripe of stripes) unlock(stripe, clock)
}

function done(): void {
  taken++
  if (gate === undefined) return
  add(control, PROGRESS, 1)
  gate.after(taken)
}

/**
 * A step that touches no cell. `action` gets the stamp of the step, which is what to hand over with a message; `record` adds its events. An
 * action that throws has taken no step.
 */
export function step<T>(kind: StepKind, action: (stamp: number) => T, record: (stream: Stream) => void, site = -1): T {
  if (gate !== undefined) gate.before(taken + 1, kind, site)
  const result = action(clock + 1)
  clock++
  if (stream !== undefined) {
    stream.stamp = clock
    record(stream)
  }
  done()
  return result
}

/** So that who hears of its end is later than it, whichever way it ended. */
export function showClock(): void {
  control[clockSlot(ownTask.id)] = clock
}
