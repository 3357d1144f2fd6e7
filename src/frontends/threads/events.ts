/**
 * The events of the reader until all are known. It changes values, stamps and ops afterwards, because a later record may explain what a racing read
 * saw; and it keeps the step of each.
 */
import { EventStore, LARGE_PAGE_BITS, type Slot } from '../../trace/event-store.ts'
import type { TraceColumns } from '../../trace/trace.ts'

export class Events extends EventStore {
  count = 0

  constructor(tasks: number) {
    super(true, LARGE_PAGE_BITS, tasks)
  }

  addStep(task: number, op: number, target: number, value: number, site: number, stamp: number, step: number): Slot {
    const slot = this.add(task, op, target, value, site, stamp)
    this.setExtra(slot, step)
    this.count++
    return slot
  }

  setStep(slot: Slot, step: number): void {
    this.setExtra(slot, step)
  }

  /** The trace, `sites` renumbered; `pcOf` has them as they were. Empty afterwards. */
  finishSteps(
    taskCount: number,
    sites: Int32Array,
    keepsPcs: boolean,
  ): { columns: TraceColumns; stepOf: Int32Array; pcOf: Int32Array | undefined } {
    const { columns, extra } = this.finish(taskCount)
    const { site, stamp } = columns
    const pcOf = keepsPcs ? site.slice() : undefined
    for (let e = 0; e < site.length; e++) if (site[e]! >= 0) site[e] = sites[site[e]!]!
    closeGaps(stamp)
    return { columns, stepOf: extra!, pcOf }
  }
}

/** Leaves stamps without gaps, in the same order: whoever sorts by them needs room for the largest. */
function closeGaps(stamp: Int32Array): void {
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
}

function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
