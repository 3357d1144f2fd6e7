/** A lost update: the balance is read, a file is asked, the balance is written. A second withdrawal in between is not seen. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let balance = 100
let paid = 0

async function withdraw() {
  const before = balance
  await access(new URL(import.meta.url))
  balance = before - 30
  paid += 30
}

async function ask(amount) {
  await sleep(80)
  if (balance < amount) return // sensitive: harmful
  balance -= amount
  paid += amount
}

await Promise.all([withdraw(), ask(80)])
if (balance + paid !== 100) throw new Error('money out of nowhere') // sensitive: harmful
console.log('balanced')
