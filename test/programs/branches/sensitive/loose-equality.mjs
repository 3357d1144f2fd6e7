/** `==` takes 0 and '0' for the same, `===` does not. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let state = 0
let zeros = 0
const kinds = new Set()

async function read() {
  await access(new URL(import.meta.url))
  state = '0'
}

async function look() {
  await sleep(80)
  if (state == 0) zeros++ // not sensitive
  if (state === 0) kinds.add('number') // sensitive: benign
}

async function compare() {
  await sleep(80)
  if (state != null) zeros++ // not sensitive
}

await Promise.all([read(), look(), compare()])
console.log(`zeros: ${zeros}`)
