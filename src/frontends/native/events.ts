/**
 * Where the reader keeps events until all are known. Each task owns short runs of slots in pages; unlike the builder's store it lets values, stamps and
 * ops be changed afterwards, because what a racing read saw may only be explained by a later record.
 */
import { GrowInt32, sharedInt32, sharedUint8 } from '../../base/grow.ts'
import type { TraceColumns } from '../../trace/trace.ts'
import { tooManyEvents } from '../../trace/errors.ts'

/** Large pages: memory of this size goes back to the system when it is let go. The first one begins small and doubles. */
const PAGE_BITS = 23
const PAGE = 1 << PAGE_BITS
const FIRST_PAGE = 1 << 12
const FIRST_RUN = 8
const LONGEST_RUN = 2048
const MOST = 2 ** 31 - PAGE

/** The place of an event until the trace is made. */
export type Slot = number

export class Events {
  private readonly op: Uint8Array[] = []
  private readonly target: Int32Array[] = []
  private readonly value: Int32Array[] = []
  private readonly site: Int32Array[] = []
  private readonly stamp: Int32Array[] = []
  private readonly step: Int32Array[] = []
  private readonly next: Int32Array
  private readonly end: Int32Array
  private readonly held: Int32Array
  private readonly runTask = new GrowInt32()
  private readonly runStart = new GrowInt32()
  private readonly runLength = new GrowInt32()
  private used = 0
  private room = 0
  count = 0

  constructor(tasks: number) {
    this.next = new Int32Array(tasks)
    this.end = new Int32Array(tasks)
    this.held = new Int32Array(tasks)
  }

  add(task: number, op: number, target: number, value: number, site: number, stamp: number, step: number): Slot {
    let slot = this.next[task]!
    if (slot === this.end[task]) slot = this.newRun(task)
    const page = slot >>> PAGE_BITS
    const i = slot & (PAGE - 1)
    this.op[page]![i] = op
    this.target[page]![i] = target
    this.value[page]![i] = value
    this.site[page]![i] = site
    this.stamp[page]![i] = stamp
    this.step[page]![i] = step
    this.next[task] = slot + 1
    this.count++
    return slot
  }

  opOf(slot: Slot): number {
    return this.op[slot >>> PAGE_BITS]![slot & (PAGE - 1)]!
  }

  targetOf(slot: Slot): number {
    return this.target[slot >>> PAGE_BITS]![slot & (PAGE - 1)]!
  }

  valueOf(slot: Slot): number {
    return this.value[slot >>> PAGE_BITS]![slot & (PAGE - 1)]!
  }

  siteOf(slot: Slot): number {
    return this.site[slot >>> PAGE_BITS]![slot & (PAGE - 1)]!
  }

  stampOf(slot: Slot): number {
    return this.stamp[slot >>> PAGE_BITS]![slot & (PAGE - 1)]!
  }

  setOp(slot: Slot, op: number, target: number): void {
    this.op[slot >>> PAGE_BITS]![slot & (PAGE - 1)] = op
    this.target[slot >>> PAGE_BITS]![slot & (PAGE - 1)] = target
  }

  setValue(slot: Slot, value: number): void {
    this.value[slot >>> PAGE_BITS]![slot & (PAGE - 1)] = value
  }

  setStamp(slot: Slot, stamp: number): void {
    this.stamp[slot >>> PAGE_BITS]![slot & (PAGE - 1)] = stamp
  }

  setStep(slot: Slot, step: number): void {
    this.step[slot >>> PAGE_BITS]![slot & (PAGE - 1)] = step
  }

  /** Lays the events of each task side by side, `sites` renumbered; `pcOf` has them as they were. Empty afterwards. */
  finish(
    taskCount: number,
    sites: Int32Array,
    keepsPcs: boolean,
  ): { columns: TraceColumns; stepOf: Int32Array; pcOf: Int32Array | undefined } {
    const runs = this.runTask.length
    const length = this.runLength.view()
    for (let r = 0; r < runs; r++) {
      const task = this.runTask.at(r)
      const start = this.runStart.at(r)
      if (start + length[r]! === this.end[task]) length[r] = this.next[task]! - start
    }
    const taskStart = sharedInt32(taskCount + 1)
    for (let r = 0; r < runs; r++) taskStart[this.runTask.at(r) + 1]! += length[r]!
    for (let t = 0; t < taskCount; t++) taskStart[t + 1]! += taskStart[t]!
    const n = taskStart[taskCount]!
    const op = this.gather(this.op, sharedUint8(n), taskStart)
    const target = this.gather(this.target, sharedInt32(n), taskStart)
    const value = this.gather(this.value, sharedInt32(n), taskStart)
    const site = this.gather(this.site, sharedInt32(n), taskStart)
    const pcOf = keepsPcs ? site.slice() : undefined
    for (let e = 0; e < n; e++) if (site[e]! >= 0) site[e] = sites[site[e]!]!
    const stamp = closed(this.gather(this.stamp, sharedInt32(n), taskStart))
    const stepOf = this.gather(this.step, sharedInt32(n), taskStart)
    return { columns: { taskStart, op, target, value, site, stamp }, stepOf, pcOf }
  }

  private gather<A extends Int32Array | Uint8Array>(pages: A[], out: A, taskStart: Int32Array): A {
    const to = taskStart.slice()
    let done = 0
    for (let r = 0; r < this.runTask.length; r++) {
      const task = this.runTask.at(r)
      const start = this.runStart.at(r)
      const length = this.runLength.at(r)
      const i = start & (PAGE - 1)
      while (done < start >>> PAGE_BITS) letGo(pages[done++]!)
      out.set(pages[start >>> PAGE_BITS]!.subarray(i, i + length), to[task]!)
      to[task]! += length
    }
    for (const page of pages.splice(0).slice(done)) letGo(page)
    return out
  }

  private newRun(task: number): Slot {
    if (this.used === this.room) this.makeRoom()
    const start = this.used
    const wanted = Math.min(Math.max(FIRST_RUN, this.held[task]! >>> 1), LONGEST_RUN)
    const length = Math.min(wanted, this.room - start)
    this.used += length
    this.held[task]! += length
    this.runTask.push(task)
    this.runStart.push(start)
    this.runLength.push(length)
    this.end[task] = start + length
    return start
  }

  private makeRoom(): void {
    if (this.used > MOST) throw tooManyEvents('The run', MOST)
    const small = this.room < PAGE
    const size = small ? Math.max(FIRST_PAGE, this.room * 2) : PAGE
    const more = <A extends Int32Array | Uint8Array>(pages: A[], fresh: A): void => {
      if (small && pages.length > 0) fresh.set(pages.pop()!)
      pages.push(fresh)
    }
    more(this.op, new Uint8Array(size))
    for (const column of [this.target, this.value, this.site, this.stamp, this.step]) more(column, new Int32Array(size))
    this.room = small ? size : this.room + PAGE
  }
}

/** Detached, its memory can go: two copies of a long trace would be a third more than is needed (measured at 10 million events). */
function letGo(page: Int32Array | Uint8Array): void {
  structuredClone(undefined, { transfer: [page.buffer as ArrayBuffer] })
}

/** Stamps without gaps, in the same order: whoever sorts by them needs room for the largest. */
function closed(stamp: Int32Array): Int32Array {
  let most = 0
  for (let e = 0; e < stamp.length; e++) if (stamp[e]! > most) most = stamp[e]!
  const used = new Uint32Array((most >>> 5) + 1)
  for (let e = 0; e < stamp.length; e++) used[stamp[e]! >>> 5]! |= 1 << (stamp[e]! & 31)
  const before = new Int32Array(used.length)
  for (let i = 1; i < used.length; i++) before[i] = before[i - 1]! + ones(used[i - 1]!)
  for (let e = 0; e < stamp.length; e++) {
    const at = stamp[e]!
    stamp[e] = 1 + before[at >>> 5]! + ones(used[at >>> 5]! & ((1 << (at & 31)) - 1))
  }
  return stamp
}

function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
