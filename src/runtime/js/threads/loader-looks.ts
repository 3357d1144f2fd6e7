/**
 * The thread that loads modules on Node 20 tells the others what it is at: a thread that waits for it has nothing else to do, and on a busy machine it waits for long.
 */
import { add, control, LOADER_LOOKS, LOADER_SEEN, LOADS, load, PROGRESS, slotOf, store, useControl } from './control.ts'

/** Whose modules it loads. */
export interface LoadsFor {
  readonly control: SharedArrayBuffer
  readonly task: number
}

const LOOK_EVERY_MS = 20
let of = -1

export function startLooks({ control: buffer, task }: LoadsFor): void {
  useControl(buffer, task)
  of = task
  store(control, slotOf(of, LOADS), 1)
  setInterval(look, LOOK_EVERY_MS).unref()
}

/** One more is under way, or one less. */
export function underWay(by: 1 | -1): void {
  if (of < 0) return
  add(control, slotOf(of, LOADS), by)
  add(control, PROGRESS, 1)
}

function look(): void {
  const progress = load(control, PROGRESS)
  if (load(control, slotOf(of, LOADER_SEEN)) === progress) add(control, slotOf(of, LOADER_LOOKS), 1)
  else {
    store(control, slotOf(of, LOADER_LOOKS), 0)
    store(control, slotOf(of, LOADER_SEEN), progress)
  }
}
