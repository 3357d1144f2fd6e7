/** TAME, figure 5, the other way: the field depends on the shared variable too, and the sum of both is always the same. */
// flags: --exclude **/_balance.mjs
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Balance } from './_balance.mjs'

let amount = 1
let looks = 0

async function pay() {
  await access(new URL(import.meta.url))
  amount = 7
}

async function look() {
  await sleep(80)
  const balance = new Balance(amount)
  if (balance.left + amount === 10) looks++
  if (String(balance.left + amount).length === 2) looks++
}

await Promise.all([pay(), look()])
console.log(`${looks} looks`)
