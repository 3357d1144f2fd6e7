/** A lock in cell 0 of the memory. Who finds it taken waits. Not instrumented: its loop is not among the branches. */
export function lock(memory) {
  while (Atomics.compareExchange(memory, 0, 0, 1) !== 0) Atomics.wait(memory, 0, 1)
}

export function unlock(memory) {
  Atomics.store(memory, 0, 0)
  Atomics.notify(memory, 0, 1)
}
