/** A state in shared memory, by switch; bytes of a smaller view of the same memory. */
import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

const IDLE = 0
const BUSY = 1
const DONE = 2

if (isMainThread) {
  const state = new Uint8Array(new SharedArrayBuffer(2))
  const worker = new Worker(new URL(import.meta.url), { workerData: state })
  const exit = once(worker, 'exit')
  let looks = 0
  switch (state[0]) {
    case DONE: // sensitive: benign
      looks++
      break
    case BUSY: // sensitive: benign
    case IDLE:
      looks += 1
      break
  }
  await exit
  console.log(`${looks} looks`)
} else {
  workerData[0] = BUSY
  workerData[0] = DONE
}
