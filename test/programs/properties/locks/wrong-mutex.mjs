// A lock that one flow acquires and another gives free, because it takes a long wait for a crash.
// flags: --timers latency --max-findings 1

class Mutex {
  held = false
  async acquire() {
    while (this.held) await new Promise((resolve) => setTimeout(resolve, 1))
    this.held = true
  }
  release() {
    this.held = false
  }
}

const mutex = new Mutex()
let inside = 0
setTimeout(async () => {
  await mutex.acquire()
  if (++inside > 1) throw new Error('two at once')
  await new Promise((resolve) => setTimeout(resolve, 5))
  inside--
  mutex.release()
}, 1)
setTimeout(() => mutex.release(), 60) // expect MutexReleasedByAnother
setTimeout(async () => {
  await mutex.acquire()
  if (++inside > 1) throw new Error('two at once')
  inside--
  mutex.release()
}, 100)
