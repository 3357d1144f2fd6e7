// A producer that finds the buffer full says so and sleeps until it is drained; in the recorded run it never is full. It sleeps for ever when the consumer drains it between its look and its sleep.
const { run, pause } = require('./_roles.cjs')
const [FILLED, PAUSED] = [0, 1]
const LIMIT = 2

run(__filename, {
  producer(cells, right) {
    for (let i = 0; i < 3; i++) {
      pause(100)
      if (Atomics.load(cells, FILLED) >= LIMIT) {
        Atomics.store(cells, PAUSED, 1)
        if (!right || Atomics.load(cells, FILLED) >= LIMIT) Atomics.wait(cells, PAUSED, 1)
        Atomics.store(cells, PAUSED, 0)
      }
      Atomics.add(cells, FILLED, 1)
      Atomics.notify(cells, FILLED)
    }
  },
  consumer(cells) {
    for (let i = 0; i < 3; i++) {
      pause(150)
      while (Atomics.load(cells, FILLED) === 0) Atomics.wait(cells, FILLED, 0)
      Atomics.sub(cells, FILLED, 1)
      if (Atomics.load(cells, PAUSED) === 1) {
        Atomics.store(cells, PAUSED, 0)
        Atomics.notify(cells, PAUSED)
      }
    }
  },
})
