// A client in the manner of redis: a command after quit() is refused, and nobody expects it.
// flags: --timers latency --max-findings 1

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
const set = async () => {
  await client.sendCommand(['SET', 'a', '1']) // expect RedisUsedAfterQuit
}
setTimeout(set, 5)
setTimeout(() => client.quit(), 60)
