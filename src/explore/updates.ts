/**
 * Updates of a run: a read, and the next access of its task to the same location, which writes it. If two tasks update from the same value, one of the updates is lost. That is what most often
 * fails when threads are in a section of code together that only one should be in, whatever is meant to keep them out.
 */
import { isRead, isWrite } from '../trace/ops.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import { isReadHalf } from '../trace/updates.ts'
import type { Seen } from './histories.ts'

export class Updates {
  /** Their reads, by location. */
  private readonly reads = new Map<number, EventId[]>()
  private readonly all = new Set<EventId>()

  constructor(private readonly seen: Seen) {
    const { trace } = seen
    for (let t = 0; t < trace.taskCount; t++) {
      const last = new Map<number, EventId>()
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
        const x = trace.target[e]!
        if (isWrite(trace.op[e]!)) {
          this.add(x, last.get(x) ?? NONE)
          last.delete(x)
        } else if (isRead(trace.op[e]!) && !isReadHalf(trace, e)) last.set(x, e)
      }
    }
  }

  /** Would an update be lost if the read saw the value? */
  loses(read: EventId, value: string): boolean {
    if (!this.all.has(read)) return false
    return this.others(read).some((other) => this.seen.valueOf(other) === value)
  }

  /** Sites of reads of which the update, or that of another task, was lost. */
  *lost(): Iterable<string> {
    const { trace, writer } = this.seen
    for (const read of this.all) if (this.others(read).some((other) => writer[other] === writer[read])) yield trace.siteName(read)
  }

  private others(read: EventId): EventId[] {
    const { trace } = this.seen
    return this.reads.get(trace.target[read]!)!.filter((other) => trace.taskOf(other) !== trace.taskOf(read))
  }

  private add(x: number, read: EventId): void {
    if (read === NONE) return
    this.all.add(read)
    const known = this.reads.get(x)
    if (known) known.push(read)
    else this.reads.set(x, [read])
  }
}
