/** What an async function returns decides in the function that waits for it. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const shop = { open: false, guests: 0 }

async function unlock() {
  await access(new URL(import.meta.url))
  shop.open = true
}

async function isOpen() {
  await sleep(80)
  return shop.open
}

async function enter() {
  if (await isOpen()) shop.guests++ // sensitive: harmful
}

await Promise.all([unlock(), enter()])
console.log(`${shop.guests} guests`)
