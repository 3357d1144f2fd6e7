/**
 * A wait is recorded as events of one stamp: `rel(l) wake(g) acq(l)`, with as many releases and acquires as the task held the lock
 * (docs/model.md, rule 4). Text formats write it as one `wait`; this is where the one becomes the three and back.
 */
import { PairCounts } from '../base/pair-counts.ts'
import type { TraceBuilder } from './builder.ts'
import { waitTooDeep } from './errors.ts'
import { ACQUIRE, RELEASE, WAKE } from './ops.ts'
import type { EventId, TaskId, Trace } from './trace.ts'
import { NOT_OBSERVED } from './values.ts'

/** Nobody waits with a lock held more often; a file that did could make a few lines into any number of events. */
const DEEPEST = 255

/** How often each task holds each lock exclusively, kept while events go by. */
export class Held {
  private readonly counts = new PairCounts()

  acquire(task: TaskId, lock: number): void {
    this.counts.add(task, lock, 1)
  }

  /** A release of what is not held is left to `validate`. */
  release(task: TaskId, lock: number): void {
    if (this.counts.get(task, lock) > 0) this.counts.add(task, lock, -1)
  }

  count(task: TaskId, lock: number): number {
    return lock < 0 ? 0 : this.counts.get(task, lock)
  }

  follow(task: TaskId, op: number, target: number): void {
    if (op === ACQUIRE) this.acquire(task, target)
    else if (op === RELEASE) this.release(task, target)
  }
}

/** Adds a wait; a bare wake when the task does not hold the lock. */
export function addWait(
  builder: TraceBuilder,
  held: Held,
  task: TaskId,
  signal: number,
  lock: number,
  site: number,
  stamp: number,
  source = '(built)',
): void {
  const depth = held.count(task, lock)
  if (depth > DEEPEST) throw waitTooDeep(source, stamp, builder.locks.at(lock), depth)
  for (let k = 0; k < depth; k++) builder.add(task, RELEASE, lock, NOT_OBSERVED, site, stamp)
  builder.add(task, WAKE, signal, NOT_OBSERVED, site, stamp)
  for (let k = 0; k < depth; k++) builder.add(task, ACQUIRE, lock, NOT_OBSERVED, site, stamp)
}

/** How many events from `first` on are one wait that `addWait` would give back unchanged; 0 when they are not. */
export function waitLength(trace: Trace, held: Held, task: TaskId, first: EventId): number {
  if (trace.op[first] !== RELEASE) return 0
  const lock = trace.target[first]!
  const depth = held.count(task, lock)
  const length = 2 * depth + 1
  if (depth === 0 || depth > DEEPEST || first + length > trace.taskStart[task + 1]!) return 0
  for (let k = 0; k < length; k++) {
    const e = first + k
    if (trace.stamp[e] !== trace.stamp[first] || trace.site[e] !== trace.site[first]) return 0
    if (k === depth) {
      if (trace.op[e] !== WAKE) return 0
    } else if (trace.op[e] !== (k < depth ? RELEASE : ACQUIRE) || trace.target[e] !== lock) return 0
  }
  return length
}
