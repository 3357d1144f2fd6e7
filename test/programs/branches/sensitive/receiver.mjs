/** TAME, figure 7, upper half: which object a method is called on depends on who wrote the variable last. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

class Plain {
  send() {
    return 1
  }
}

class Packed {
  send() {
    return 1
  }
}

let channel = new Plain()
let sent = 0

async function upgrade() {
  await access(new URL(import.meta.url))
  channel = new Packed()
}

async function use() {
  await sleep(80)
  sent += channel.send() // sensitive: benign
}

await Promise.all([upgrade(), use()])
console.log(`sent ${sent}`)
