// A dispatcher in the manner of undici: close() after destroy() is refused, and nobody waits for the refusal.
// flags: --timers latency --max-findings 1

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
setTimeout(() => void pool.close(), 5) // expect DispatcherClosedAfterDestroy
setTimeout(() => void pool.destroy(), 60)
