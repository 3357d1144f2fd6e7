/**
 * All records of a run in one order, from the files of its threads: by stamp, and of one stamp first the record that added to the counter
 * (docs/native-format.md, "Order"). The order inside a thread is kept whatever the stamps are. A heap of threads; a thread goes on as long as it is the
 * earliest.
 */
import { KIND } from './kinds.ts'
import type { RawThread } from './raw.ts'

export interface Visitor {
  /** The record at hand of the thread comes next. */
  visit(thread: RawThread): void
}

/** Adders of a stamp come first. Of a plain write it cannot be seen whether it added. */
const RANK = Uint8Array.from({ length: 256 }, (_, kind) => {
  if (kind === KIND.READ || kind === KIND.RANGE_READ) return 2
  return kind === KIND.WRITE || kind === KIND.RANGE_WRITE ? 1 : 0
})

const keyOf = (thread: RawThread): number => {
  const rank = RANK[thread.kind]!
  // One that has the number of the record before has not added.
  return thread.stamp * 4 + (rank === 1 && thread.stamp === thread.stampBefore ? 2 : rank)
}

export function inOrder(threads: readonly RawThread[], visitor: Visitor): void {
  const key = new Float64Array(threads.length)
  /** Of one key the thread with the smaller number first, so that the order is always the same. */
  const before = (a: number, b: number): boolean => key[a]! < key[b]! || (key[a] === key[b] && a < b)
  const heap: number[] = []
  const sink = (hole: number, t: number): void => {
    for (;;) {
      let child = 2 * hole + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
      if (!before(heap[child]!, t)) break
      heap[hole] = heap[child]!
      hole = child
    }
    heap[hole] = t
  }
  for (const [t, thread] of threads.entries()) {
    thread.rewind()
    if (!thread.advance()) continue
    key[t] = keyOf(thread)
    heap.push(t)
  }
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(i, heap[i]!)
  while (heap.length > 0) {
    const t = heap[0]!
    const thread = threads[t]!
    let next = heap.length > 1 ? heap[1]! : -1
    if (heap.length > 2 && before(heap[2]!, next)) next = heap[2]!
    let more = true
    do {
      visitor.visit(thread)
      more = thread.advance()
      if (more) key[t] = keyOf(thread)
    } while (more && (next < 0 || before(t, next)))
    if (more) sink(0, t)
    else {
      const last = heap.pop()!
      if (heap.length > 0) sink(0, last)
    }
  }
}
