/**
 * All records of a run in one order, from the files of its threads. The order within a thread is kept whatever the keys are. Merges with a heap of
 * threads; a thread continues as long as it is the earliest.
 */

/** The records of one thread, one at hand at a time. */
export interface Walk {
  rewind(): void
  /** Goes to the next record; false where there is none. */
  advance(): boolean
}

export interface Visitor<T extends Walk> {
  /** The record at hand of the thread comes next. */
  visit(thread: T): void
}

/** Asked each time so many records have been visited. */
const LOOK_EVERY = 1 << 16

/** Gives how many records were visited. `most`: not more than that. `late`: asked now and then; what comes after it is left out, as of a program that was killed. */
export function inOrder<T extends Walk>(
  threads: readonly T[],
  visitor: Visitor<T>,
  keyOf: (thread: T) => number,
  { most = Infinity, late = () => false }: { readonly most?: number; readonly late?: () => boolean } = {},
): number {
  let visited = 0
  let look = Math.min(most, LOOK_EVERY)
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
      if (visited === look) {
        if (visited === most || late()) return visited
        look = Math.min(most, visited + LOOK_EVERY)
      }
      visitor.visit(thread)
      visited++
      more = thread.advance()
      if (more) key[t] = keyOf(thread)
    } while (more && (next < 0 || before(t, next)))
    if (more) sink(0, t)
    else {
      const last = heap.pop()!
      if (heap.length > 0) sink(0, last)
    }
  }
  return visited
}
