/** The open work, best first. Items name work and never carry a command, so that the list may also be stored elsewhere. */
import { Heap } from '../../base/heap.ts'

export interface WorkList<T> {
  /** Lower ranks come first; of one rank, what was added first. */
  add(item: T, rank: number): void
  take(): T | undefined
  readonly size: number
}

export class InMemory<T> implements WorkList<T> {
  private count = 0
  private readonly heap = new Heap<{ readonly item: T; readonly rank: number; readonly nth: number }>(
    (a, b) => a.rank < b.rank || (a.rank === b.rank && a.nth < b.nth),
  )

  get size(): number {
    return this.heap.size
  }

  add(item: T, rank: number): void {
    this.heap.push({ item, rank, nth: this.count++ })
  }

  take(): T | undefined {
    return this.heap.size === 0 ? undefined : this.heap.take().item
  }
}
