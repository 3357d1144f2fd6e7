/**
 * Where a builder keeps events until the trace is finished. Every task owns short runs of slots in pages that all tasks share: nothing is
 * copied while a task grows, a million tasks of three events cost little, and pages are let go column by column while `finish` copies.
 */
import { GrowInt32, sharedInt32, sharedUint8 } from '../base/grow.ts'
import { tooManyEvents } from './errors.ts'
import type { TraceColumns } from './trace.ts'

const PAGE_BITS = 18
const PAGE = 1 << PAGE_BITS
/** Slots are numbered with 31 bits. */
const MOST_EVENTS = 2 ** 31 - 2 * PAGE
const FIRST_PAGE = 64
const FIRST_RUN = 8
const LONGEST_RUN = 4096

export class EventStore {
  private op: Uint8Array[] = []
  private target: Int32Array[] = []
  private value: Int32Array[] = []
  private site: Int32Array[] = []
  private stamp: Int32Array[] = []
  /** Next free slot and end of the current run, by task. */
  private next: Int32Array = new Int32Array(16)
  private end: Int32Array = new Int32Array(16)
  private counts: Int32Array = new Int32Array(16)
  private used = 0
  private room = 0
  private readonly runTask = new GrowInt32()
  private readonly runStart = new GrowInt32()
  private readonly runLength = new GrowInt32()

  add(task: number, op: number, target: number, value: number, site: number, stamp: number): void {
    if (task >= this.next.length) this.widen(task)
    let slot = this.next[task]!
    if (slot === this.end[task]) slot = this.newRun(task)
    const page = slot >>> PAGE_BITS
    const i = slot & (PAGE - 1)
    this.op[page]![i] = op
    this.target[page]![i] = target
    this.value[page]![i] = value
    this.site[page]![i] = site
    this.stamp[page]![i] = stamp
    this.next[task] = slot + 1
  }

  /** Lays the events of each task side by side. The store is empty afterwards. */
  finish(taskCount: number): TraceColumns {
    if (taskCount > this.next.length) this.widen(taskCount - 1)
    const runs = this.runTask.length
    const length = this.runLength.view()
    for (let r = 0; r < runs; r++) {
      const task = this.runTask.at(r)
      const start = this.runStart.at(r)
      if (start + length[r]! === this.end[task]) length[r] = this.next[task]! - start
    }
    const taskStart = sharedInt32(taskCount + 1)
    for (let r = 0; r < runs; r++) if (this.runTask.at(r) < taskCount) taskStart[this.runTask.at(r) + 1]! += length[r]!
    for (let t = 0; t < taskCount; t++) taskStart[t + 1]! += taskStart[t]!
    const n = taskStart[taskCount]!
    return {
      taskStart,
      op: this.gather(this.op, sharedUint8(n), taskStart),
      target: this.gather(this.target, sharedInt32(n), taskStart),
      value: this.gather(this.value, sharedInt32(n), taskStart),
      site: this.gather(this.site, sharedInt32(n), taskStart),
      stamp: this.gather(this.stamp, sharedInt32(n), taskStart),
    }
  }

  /** Runs are listed in the order they were begun, which inside a task is program order. */
  private gather<A extends Int32Array | Uint8Array>(pages: A[], out: A, taskStart: Int32Array): A {
    const to = taskStart.slice()
    for (let r = 0; r < this.runTask.length; r++) {
      const task = this.runTask.at(r)
      if (task >= to.length - 1) continue
      const start = this.runStart.at(r)
      const length = this.runLength.at(r)
      const page = pages[start >>> PAGE_BITS]!
      const i = start & (PAGE - 1)
      const at = to[task]!
      // A call of `set` costs more than copying a few numbers.
      if (length < 16) for (let k = 0; k < length; k++) out[at + k] = page[i + k]!
      else out.set(page.subarray(i, i + length), at)
      to[task] = at + length
    }
    pages.length = 0
    return out
  }

  private newRun(task: number): number {
    if (this.used === this.room) this.makeRoom()
    const start = this.used
    const wanted = Math.min(Math.max(FIRST_RUN, this.counts[task]! >>> 1), LONGEST_RUN)
    const length = Math.min(wanted, this.room - start)
    this.used += length
    this.counts[task]! += length
    this.runTask.push(task)
    this.runStart.push(start)
    this.runLength.push(length)
    this.end[task] = start + length
    return start
  }

  /** The first page starts small and doubles, for the sake of the many traces of a few events; the others are whole at once. */
  private makeRoom(): void {
    if (this.room > MOST_EVENTS) throw tooManyEvents('The trace', MOST_EVENTS)
    const small = this.room < PAGE
    const size = small ? Math.max(FIRST_PAGE, this.room * 2) : PAGE
    const more = <A extends Int32Array | Uint8Array>(pages: A[], fresh: A): void => {
      if (small && pages.length > 0) fresh.set(pages.pop()!)
      pages.push(fresh)
    }
    more(this.op, new Uint8Array(size))
    more(this.target, new Int32Array(size))
    more(this.value, new Int32Array(size))
    more(this.site, new Int32Array(size))
    more(this.stamp, new Int32Array(size))
    this.room = small ? size : this.room + PAGE
  }

  private widen(task: number): void {
    const longer = (old: Int32Array): Int32Array => {
      const a = new Int32Array(Math.max(task + 1, old.length * 2))
      a.set(old)
      return a
    }
    this.next = longer(this.next)
    this.end = longer(this.end)
    this.counts = longer(this.counts)
  }
}
