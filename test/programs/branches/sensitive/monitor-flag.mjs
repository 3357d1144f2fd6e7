/**
 * TAME, figure 1: a monitor looks at the network, and a transfer picks its protocol by what the monitor found last. Both protocols send
 * the file.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let isGood = false
let sent = 0

async function monitor() {
  const text = await readFile(new URL(import.meta.url), 'utf8')
  isGood = text.length > 10
}

async function transfer() {
  await sleep(80)
  sent += isGood ? sendFast() : sendSlowly() // sensitive: benign
}

function sendFast() {
  return 1
}

function sendSlowly() {
  return 1
}

await Promise.all([monitor(), transfer()])
console.log(`sent ${sent}`)
