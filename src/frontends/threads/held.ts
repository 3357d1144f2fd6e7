/**
 * Which thread holds which lock, so that the sections of the trace are consistent. Impossible sequences (a lock taken while another thread holds it,
 * or released by a thread that does not hold it) have a cause that was not recorded; then both ends of the section are left out. A failed try is
 * written as one (docs/model.md, rule 7) if another thread is known to hold the lock, and as a call if not: records of locks are written slightly
 * before or after the operation.
 */
import { PairCounts } from '../../base/pair-counts.ts'
import type { Names } from '../../base/names.ts'
import { ACQUIRE, ACQUIRE_SHARED, CALL, RELEASE, RELEASE_SHARED, TRY_FAILED, TRY_SHARED_FAILED } from '../../trace/ops.ts'
import type { Slot } from '../../trace/event-store.ts'
import type { Output } from './output.ts'

const NONE = -1
const FAILED = 'try failed'

interface Tries {
  readonly lock: number
  readonly pc: number
  readonly slots: Slot[]
}

export class Held {
  /** Sections that are left out. */
  odd = 0
  private readonly owner: number[] = []
  private readonly depth: number[] = []
  private readonly begin: Slot[] = []
  private readonly readers: number[] = []
  private readonly shares = new PairCounts()
  private readonly leftOut = new PairCounts()

  /** Per lock: tries that failed since its owner took it. */
  private readonly keptOut: Slot[][] = []
  /** Per task: tries that it has made in a row, at one place. */
  private readonly tries: (Tries | undefined)[] = []

  /** `valueOf`: the name of a lock as a value. */
  constructor(
    private readonly output: Output,
    private readonly names: Names,
    private readonly valueOf: (lock: number) => number,
  ) {}

  /** The task will take the lock now, if the lock was free: by a try, or by a call that waits for some time only (`how`). */
  asks(task: number, lock: number, how: string): void {
    const tries = this.rowOf(task, lock)
    // In a loop until it is free: a lock that is free is taken by the first try (predict/threads/spins.ts).
    if (tries) for (const slot of tries.slots) this.asCall(slot, lock)
    this.output.call(how)
  }

  fails(task: number, lock: number, shared: boolean): void {
    const holds = this.depth[lock] ?? 0
    const isOwn = (holds > 0 && this.owner[lock] === task) || this.shares.get(task, lock) > 0
    const tries = this.rowOf(task, lock) ?? { lock, pc: this.output.pc, slots: [] }
    if (isOwn || (holds === 0 && (shared || !this.othersRead(task, lock)))) {
      this.output.call(FAILED, this.valueOf(lock))
      return
    }
    const slot = this.output.put(shared ? TRY_SHARED_FAILED : TRY_FAILED, lock)
    if (holds > 0) (this.keptOut[lock] ??= []).push(slot)
    tries.slots.push(slot)
    this.tries[task] = tries
  }

  /** The tries that the task has just made at the place at hand, if it has done nothing else since. */
  private rowOf(task: number, lock: number): Tries | undefined {
    const tries = this.tries[task]
    const isRow = tries?.lock === lock && tries.pc === this.output.pc && tries.slots.at(-1) === this.output.agreement.lastOf(task)
    return isRow ? tries : undefined
  }

  private asCall(slot: Slot, lock: number): void {
    this.output.events.setOp(slot, CALL, this.names.intern(FAILED))
    this.output.events.setValue(slot, this.valueOf(lock))
  }

  /** What kept them out was not what it seemed. */
  private undoTries(lock: number): void {
    for (const slot of this.keptOut[lock] ?? []) this.asCall(slot, lock)
  }

  acquire(task: number, lock: number): void {
    this.endCut(task, lock)
    const holds = this.depth[lock] ?? 0
    if ((holds > 0 && this.owner[lock] !== task) || this.othersRead(task, lock)) {
      this.leave(task, lock)
      return
    }
    const slot = this.output.put(ACQUIRE, lock)
    if (holds === 0) {
      this.begin[lock] = slot
      if (this.keptOut[lock]) this.keptOut[lock] = []
    }
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
      this.output.events.setOp(this.begin[lock]!, CALL, this.names.intern('listen'))
      this.undoTries(lock)
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
    this.undoTries(lock)
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
