// The same, with a look at `destroyed` first.
// flags: --timers latency

class Dispatcher {
  destroyed = false
  async close() {
    if (this.destroyed) throw new Error('The client is destroyed')
    await this.destroy()
  }
  async destroy() {
    this.destroyed = true
  }
}

const pool = new Dispatcher()
setTimeout(() => {
  if (!pool.destroyed) void pool.close()
}, 5)
setTimeout(() => void pool.destroy(), 60) // ok
