// The one who quits waits for the others.
// flags: --timers latency

class RedisClient {
  open = true
  async sendCommand() {
    if (!this.open) throw new Error('The client is closed')
    return 'OK'
  }
  async quit() {
    this.open = false
  }
}

const client = new RedisClient()
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const set = async () => {
  await after(5)
  await client.sendCommand(['SET', 'a', '1'])
}
await Promise.all([set(), after(20)])
await client.quit() // ok
