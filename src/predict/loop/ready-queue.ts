/** Turns by the time at which they can run, the earliest first; of one time, as recorded. A binary heap. */
import type { TurnId } from '../../trace/loop.ts'

interface Ready {
  readonly turn: TurnId
  readonly at: number
}

const isEarlier = (a: Ready, b: Ready): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn)

export class ReadyQueue {
  private readonly heap: Ready[] = []

  /** Time of the first; Infinity if there is none. */
  get next(): number {
    return this.heap[0]?.at ?? Infinity
  }

  push(ready: Ready): void {
    const { heap } = this
    let i = heap.push(ready) - 1
    for (; i > 0; i = (i - 1) >> 1) {
      const above = heap[(i - 1) >> 1]!
      if (!isEarlier(ready, above)) break
      heap[i] = above
    }
    heap[i] = ready
  }

  take(): TurnId {
    const { heap } = this
    const first = heap[0]!
    const moved = heap.pop()!
    if (heap.length === 0) return first.turn
    let i = 0
    for (let below = 1; below < heap.length; below = 2 * i + 1) {
      if (below + 1 < heap.length && isEarlier(heap[below + 1]!, heap[below]!)) below++
      if (!isEarlier(heap[below]!, moved)) break
      heap[i] = heap[below]!
      i = below
    }
    heap[i] = moved
    return first.turn
  }
}
