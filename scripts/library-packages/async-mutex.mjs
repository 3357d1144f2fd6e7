// packages: async-mutex
import { Mutex } from 'async-mutex'
// flags: --timers latency --max-findings 1

// A flow that takes a long wait for a crash gives free what another holds.
const mutex = new Mutex()
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let inside = 0
const work = async () => {
  await mutex.acquire()
  if (++inside > 1) throw new Error('two at once')
  await wait(5)
  inside--
  mutex.release()
}
setTimeout(work, 1)
// right: setTimeout(() => {}, 60)
setTimeout(() => mutex.isLocked() && mutex.release(), 60) // expect MutexReleasedByAnother
setTimeout(work, 100)
