/** A suite like that of a queue of promises: most of it waits for short timers. For mocha (it) and node:test (its test under that name). */
const assert = require('node:assert')
const it = globalThis.it ?? require('node:test').test
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

class Queue {
  #waiting = []
  #running = 0
  constructor(atOnce) {
    this.atOnce = atOnce
  }
  add(task) {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => task().then(resolve, reject))
      this.#next()
    })
  }
  #next() {
    while (this.#running < this.atOnce && this.#waiting.length > 0) {
      this.#running++
      void this.#waiting
        .shift()()
        .finally(() => {
          this.#running--
          this.#next()
        })
    }
  }
}

for (let i = 0; i < 30; i++) {
  const atOnce = 1 + (i % 4)
  it(`runs ${atOnce} at once, number ${i}`, async () => {
    const queue = new Queue(atOnce)
    let running = 0
    const done = []
    const task = async (n) => {
      assert.ok(++running <= atOnce)
      await sleep(5 + ((n * 7) % 11))
      running--
      done.push(n)
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => queue.add(() => task(n))))
    assert.strictEqual(done.length, 12)
  })
}
