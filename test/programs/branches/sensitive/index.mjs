/** TAME, figure 7, lower half: a write to an element chosen by a shared variable decides what another branch sees. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let slot = 0
const slots = [0, 0]
let looks = 0

async function choose() {
  await access(new URL(import.meta.url))
  slot = 1
}

async function fill() {
  await sleep(80)
  slots[slot] = 1 // sensitive: benign
}

async function look() {
  await sleep(120)
  looks += slots[1] > 0 ? 1 : looked() // sensitive: benign
}

function looked() {
  return 1
}

await Promise.all([choose(), fill(), look()])
console.log(`looked ${looks} times`)
