/**
 * Who holds which lock, so that the sections of the trace are sections. What cannot be (a lock taken while another thread holds it, given back by one
 * that does not) has a reason that was not recorded; then both ends of the section are left out.
 */
import { PairCounts } from '../../base/pair-counts.ts'
import { ACQUIRE, ACQUIRE_SHARED, CALL, RELEASE, RELEASE_SHARED } from '../../trace/ops.ts'
import type { Slot } from '../../trace/event-store.ts'
import type { Output } from './output.ts'

const NONE = -1

export class Held {
  /** Sections that are left out. */
  odd = 0
  private readonly owner: number[] = []
  private readonly depth: number[] = []
  private readonly begin: Slot[] = []
  private readonly readers: number[] = []
  private readonly shares = new PairCounts()
  private readonly leftOut = new PairCounts()

  constructor(
    private readonly output: Output,
    private readonly separator: number,
  ) {}

  acquire(task: number, lock: number): void {
    this.endCut(task, lock)
    const holds = this.depth[lock] ?? 0
    if ((holds > 0 && this.owner[lock] !== task) || this.othersRead(task, lock)) {
      this.leave(task, lock)
      return
    }
    const slot = this.output.put(ACQUIRE, lock)
    if (holds === 0) this.begin[lock] = slot
    this.depth[lock] = holds + 1
    this.owner[lock] = task
  }

  acquireShared(task: number, lock: number): void {
    this.endCut(task, lock)
    if ((this.depth[lock] ?? 0) > 0 && this.owner[lock] !== task) {
      this.leave(task, lock)
      return
    }
    this.output.put(ACQUIRE_SHARED, lock)
    this.shares.add(task, lock, 1)
    this.readers[lock] = (this.readers[lock] ?? 0) + 1
  }

  /** Did it write a release? An rwlock is given back by the same call, whichever way it was taken. */
  release(task: number, lock: number): boolean {
    if (this.wasLeftOut(task, lock)) return false
    const holds = this.depth[lock] ?? 0
    if (holds > 0 && this.owner[lock] === task) {
      this.output.put(RELEASE, lock)
      this.depth[lock] = holds - 1
      return true
    }
    if (this.shares.get(task, lock) > 0) {
      this.output.put(RELEASE_SHARED, lock)
      this.shares.add(task, lock, -1)
      this.readers[lock]!--
      return true
    }
    if (holds > 0) {
      // Given back by another thread: what the owner took is no section.
      this.output.events.setOp(this.begin[lock]!, CALL, this.separator)
      this.depth[lock] = 0
      this.owner[lock] = NONE
      this.odd++
    }
    return false
  }

  /** The record of who holds it has ended, and now somebody else has it: it was given back after that. */
  private endCut(task: number, lock: number): void {
    const owner = this.owner[lock] ?? NONE
    if (owner === NONE || owner === task || !this.output.isOver(owner)) return
    for (let holds = this.depth[lock]!; holds > 0; holds--) this.output.putAtEnd(owner, RELEASE, lock)
    this.depth[lock] = 0
    this.owner[lock] = NONE
  }

  private othersRead(task: number, lock: number): boolean {
    const all = this.readers[lock] ?? 0
    return all > 0 && all > this.shares.get(task, lock)
  }

  private leave(task: number, lock: number): void {
    this.leftOut.add(task, lock, 1)
    this.odd++
  }

  private wasLeftOut(task: number, lock: number): boolean {
    if (this.leftOut.get(task, lock) === 0) return false
    this.leftOut.add(task, lock, -1)
    return true
  }
}
