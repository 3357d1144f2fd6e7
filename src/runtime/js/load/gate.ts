/** A gate between the thread of Node's loader and the program (Node 20): a replay shuts it, so that no module is there before the turn in which the recorded run had it. */

// As it is before anybody watches it.
const { notify, store, waitAsync } = Atomics as typeof Atomics & {
  waitAsync(cells: Int32Array, at: number, value: number, ms: number): { readonly async: boolean; readonly value: unknown }
}
const OPEN = 0
const SHUT = 1
/** The program may wait for the loader, and could not open it. */
const LONGEST_MS = 10_000

export const gate = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

export const shutGate = (): void => void store(gate, 0, SHUT)

export function openGate(): void {
  store(gate, 0, OPEN)
  notify(gate, 0)
}

/** In the thread of the loader. */
export async function passGate(cells: Int32Array): Promise<void> {
  const { async: waits, value } = waitAsync(cells, 0, SHUT, LONGEST_MS)
  if (!waits) return
  // Nothing else keeps this thread alive.
  const alive = setTimeout(() => {}, LONGEST_MS)
  await value
  clearTimeout(alive)
}
