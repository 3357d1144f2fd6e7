// A payment is tried again when the first try is not answered in time; whoever is answered first books it. Fails when the first try is late and is answered after the second has been booked.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const order = { paid: 0, answered: false, closed: false }

async function pay() {
  await readFile(__filename)
  order.answered = true
  if (RIGHT && order.closed) return
  if (order.closed) throw new Error('booked after the order was closed')
  order.paid++
}

async function watch() {
  for (let i = 0; i < 16; i++) await stat(__filename)
  if (order.answered) return stat(__filename)
  await pay()
  for (let i = 0; i < 4; i++) await stat(__filename)
  order.closed = true
}

pay()
watch()
