// An order is paid and packed side by side. Nobody waits for the payment before the parcel leaves: it has always been quicker.
import { readFile } from 'node:fs/promises'

class Order {
  paid() {}
  ship() {}
}

const slowly = () => readFile(import.meta.filename)

async function pay(order) {
  await slowly()
  order.paid()
}

async function pack(order) {
  for (const _step of ['pick', 'wrap', 'label', 'hand over']) await slowly()
  order.ship()
}

const order = new Order()
await Promise.all([pay(order), pack(order)])
