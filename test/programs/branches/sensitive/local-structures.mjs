/** What was read goes into a local array, from there into an object, through a loop, and is decided on at the end. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const stock = { apples: 1, pears: 2, plums: 3 }
let orders = 0

async function deliver() {
  await access(new URL(import.meta.url))
  stock.pears = 10
}

async function count() {
  await sleep(80)
  const list = [stock.apples, stock.pears]
  list.push(stock.plums)
  let sum = 0
  for (let i = 0; i < list.length; i++) sum += list[i]
  const total = { sum, kinds: list.length }
  if (total.kinds === 3) orders++ // not sensitive
  if (total.sum < 10) order() // sensitive: benign
}

function order() {
  stock.plums = 20
}

await Promise.all([deliver(), count()])
console.log(`${orders} counts`)
