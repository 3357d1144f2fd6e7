/** TAME, figure 7, upper half: the channel may be closed already. */
// flags: --timers latency
import { setTimeout as sleep } from 'node:timers/promises'

class Channel {
  sent = 0
  send() {
    this.sent++
  }
}

let channel = new Channel()

async function use() {
  await sleep(10)
  channel.send() // sensitive: harmful
}

async function close() {
  await sleep(30)
  channel = null
}

await Promise.all([use(), close()])
console.log('closed')
