/** Conditions that no value of the variables changes: parity, squares, a sum kept by two writes in one turn. */
import { access, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = new URL(import.meta.url)
const account = { left: 10, right: 0 }
let n = 3
let looks = 0

async function move() {
  await access(FILE)
  account.left -= 4
  account.right += 4
}

async function count() {
  await stat(FILE)
  n = 8
}

async function look() {
  await sleep(80)
  if (account.left + account.right === 10) looks++
  if ((n * 2) % 2 === 0) looks++
  if (n * n >= 0) looks++
  if (n % 5 === 3) looks++
}

await Promise.all([move(), count(), look()])
console.log(`${looks} looks`)
