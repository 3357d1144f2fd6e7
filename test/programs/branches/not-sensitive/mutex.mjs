/** A lock made of promises: check and act are never apart. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let tail = Promise.resolve()
const stock = { left: 2 }
let sold = 0

function alone(task) {
  const mine = tail.then(task)
  tail = mine
  return mine
}

async function sell() {
  if (stock.left === 0) throw new Error('never')
  const { left } = stock
  await access(new URL(import.meta.url))
  stock.left = left - 1
  sold++
}

await Promise.all([alone(sell), sleep(20).then(() => alone(sell))])
if (sold !== 2) throw new Error('never')
console.log(`sold ${sold}`)
