/**
 * Where events are kept until the trace is finished. Every task owns short runs of slots in pages that all tasks share: nothing is
 * copied while a task grows, a million tasks of three events cost little, and pages are let go column by column while `finish` copies.
 */
import { GrowInt32, sharedInt32, sharedUint8 } from '../base/grow.ts'
import { tooManyEvents } from './errors.ts'
import type { TraceColumns } from './trace.ts'

const PAGE_BITS = 18
/** Memory of this size goes back to the system when it is let go. */
export const LARGE_PAGE_BITS = 23
const FIRST_PAGE = 64
const FIRST_RUN = 8
const LONGEST_RUN = 4096

/** The place of an event until the trace is made. */
export type Slot = number

type Column = Int32Array | Uint8Array

export class EventStore {
  private readonly op: Uint8Array[] = []
  private readonly target: Int32Array[] = []
  private readonly value: Int32Array[] = []
  private readonly site: Int32Array[] = []
  private readonly stamp: Int32Array[] = []
  /** One more number of each event, for those who want one: it is not in the trace. */
  private readonly extra: Int32Array[] = []
  private readonly mask: number
  /** Next free slot and end of the current run, by task. */
  private next: Int32Array
  private end: Int32Array
  private counts: Int32Array
  private used = 0
  private room = 0
  private readonly runTask = new GrowInt32()
  private readonly runStart = new GrowInt32()
  private readonly runLength = new GrowInt32()

  constructor(
    private readonly hasExtra = false,
    private readonly pageBits = PAGE_BITS,
    tasks = 16,
  ) {
    this.mask = (1 << pageBits) - 1
    this.next = new Int32Array(tasks)
    this.end = new Int32Array(tasks)
    this.counts = new Int32Array(tasks)
  }

  add(task: number, op: number, target: number, value: number, site: number, stamp: number): Slot {
    if (task >= this.next.length) this.widen(task)
    let slot = this.next[task]!
    if (slot === this.end[task]) slot = this.newRun(task)
    const page = slot >>> this.pageBits
    const i = slot & this.mask
    this.op[page]![i] = op
    this.target[page]![i] = target
    this.value[page]![i] = value
    this.site[page]![i] = site
    this.stamp[page]![i] = stamp
    this.next[task] = slot + 1
    return slot
  }

  opOf(slot: Slot): number {
    return this.op[slot >>> this.pageBits]![slot & this.mask]!
  }

  targetOf(slot: Slot): number {
    return this.target[slot >>> this.pageBits]![slot & this.mask]!
  }

  valueOf(slot: Slot): number {
    return this.value[slot >>> this.pageBits]![slot & this.mask]!
  }

  siteOf(slot: Slot): number {
    return this.site[slot >>> this.pageBits]![slot & this.mask]!
  }

  stampOf(slot: Slot): number {
    return this.stamp[slot >>> this.pageBits]![slot & this.mask]!
  }

  setOp(slot: Slot, op: number, target: number): void {
    this.op[slot >>> this.pageBits]![slot & this.mask] = op
    this.target[slot >>> this.pageBits]![slot & this.mask] = target
  }

  setValue(slot: Slot, value: number): void {
    this.value[slot >>> this.pageBits]![slot & this.mask] = value
  }

  setStamp(slot: Slot, stamp: number): void {
    this.stamp[slot >>> this.pageBits]![slot & this.mask] = stamp
  }

  setExtra(slot: Slot, extra: number): void {
    this.extra[slot >>> this.pageBits]![slot & this.mask] = extra
  }

  /** Lays the events of each task side by side. The store is empty afterwards. */
  finish(taskCount: number): { columns: TraceColumns; extra: Int32Array | undefined } {
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
    const columns = {
      taskStart,
      op: this.gather(this.op, sharedUint8(n), taskStart),
      target: this.gather(this.target, sharedInt32(n), taskStart),
      value: this.gather(this.value, sharedInt32(n), taskStart),
      site: this.gather(this.site, sharedInt32(n), taskStart),
      stamp: this.gather(this.stamp, sharedInt32(n), taskStart),
    }
    return { columns, extra: this.hasExtra ? this.gather(this.extra, sharedInt32(n), taskStart) : undefined }
  }

  /** Runs are listed in the order they were begun, which inside a task is program order, and among the slots is rising. */
  private gather<A extends Column>(pages: A[], out: A, taskStart: Int32Array): A {
    const to = taskStart.slice()
    let done = 0
    for (let r = 0; r < this.runTask.length; r++) {
      const task = this.runTask.at(r)
      if (task >= to.length - 1) continue
      const start = this.runStart.at(r)
      const length = this.runLength.at(r)
      if (this.pageBits === LARGE_PAGE_BITS) while (done < start >>> this.pageBits) letGo(pages[done++]!)
      const page = pages[start >>> this.pageBits]!
      const i = start & this.mask
      const at = to[task]!
      // A call of `set` costs more than copying a few numbers.
      if (length < 16) for (let k = 0; k < length; k++) out[at + k] = page[i + k]!
      else out.set(page.subarray(i, i + length), at)
      to[task] = at + length
    }
    const left = pages.splice(0)
    if (this.pageBits === LARGE_PAGE_BITS) while (done < left.length) letGo(left[done++]!)
    return out
  }

  private newRun(task: number): Slot {
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
    const whole = this.mask + 1
    // Slots are numbered with 31 bits.
    const most = 2 ** 31 - 2 * whole
    if (this.room > most) throw tooManyEvents('The trace', most)
    const small = this.room < whole
    const size = small ? Math.max(FIRST_PAGE, this.room * 2) : whole
    const more = <A extends Column>(pages: A[], fresh: A): void => {
      if (small && pages.length > 0) fresh.set(pages.pop()!)
      pages.push(fresh)
    }
    more(this.op, new Uint8Array(size))
    more(this.target, new Int32Array(size))
    more(this.value, new Int32Array(size))
    more(this.site, new Int32Array(size))
    more(this.stamp, new Int32Array(size))
    if (this.hasExtra) more(this.extra, new Int32Array(size))
    this.room = small ? size : this.room + whole
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

/** Detached, its memory can go: two copies of a long trace would be a third more than is needed (measured at 10 million events). */
function letGo(page: Column): void {
  structuredClone(undefined, { transfer: [page.buffer as ArrayBuffer] })
}
