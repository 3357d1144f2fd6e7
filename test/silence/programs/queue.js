/** A queue with a consumer that sleeps while it is empty; every item comes out once, in order. */
import assert from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'

class Queue {
  #items = []
  #waiting = []
  #closed = false
  push(item) {
    const taker = this.#waiting.shift()
    if (taker) taker({ item, done: false })
    else this.#items.push(item)
  }
  close() {
    this.#closed = true
    for (const taker of this.#waiting.splice(0)) taker({ done: true })
  }
  take() {
    if (this.#items.length > 0) return Promise.resolve({ item: this.#items.shift(), done: false })
    if (this.#closed) return Promise.resolve({ done: true })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

const queue = new Queue()
const got = []
const consumer = (async () => {
  for (;;) {
    const { item, done } = await queue.take()
    if (done) return
    got.push(item)
    if (item % 3 === 0) await sleep(2)
  }
})()
for (let i = 0; i < 12; i++) {
  queue.push(i)
  if (i % 4 === 0) await sleep(1)
}
queue.close()
await consumer
assert.deepEqual(
  got,
  Array.from({ length: 12 }, (_, i) => i),
)
console.log(got.join(' '))
