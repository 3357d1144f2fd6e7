// Who acquires releases.
// flags: --timers latency

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
const work = async () => {
  await mutex.acquire()
  if (++inside > 1) throw new Error('two at once')
  await new Promise((resolve) => setTimeout(resolve, 5))
  inside--
  mutex.release()
}
setTimeout(work, 1)
setTimeout(work, 40) // ok
