// Each borrower gives back its own loan, once.
// flags: --timers latency

class Client {
  free = true
  async lend(work) {
    while (!this.free) await new Promise((resolve) => setTimeout(resolve, 1))
    this.free = false
    await work()
    this.release()
  }
  release() {
    if (this.free) throw new Error('Release called on client which has already been released to the pool.')
    this.free = true
  }
}

const client = new Client()
const work = () => new Promise((resolve) => setTimeout(resolve, 5))
await Promise.all([client.lend(work), client.lend(work)]) // ok
