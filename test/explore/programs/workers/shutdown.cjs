// A supervisor that finds the queue drained closes the log at once; in the recorded run it looks too early, and nobody closes it. Fails when a request is logged after that.
const { run, pause } = require('./_roles.cjs')
const [DRAINED, CLOSED, LINES] = [0, 1, 2]

run(__filename, {
  request(cells, right) {
    pause(60)
    if (Atomics.load(cells, CLOSED) === 1) {
      if (right) return
      throw new Error('the log is closed')
    }
    Atomics.add(cells, LINES, 1)
  },
  supervisor(cells) {
    pause(150)
    if (Atomics.load(cells, DRAINED) === 1) Atomics.store(cells, CLOSED, 1)
  },
  drain(cells) {
    pause(400)
    Atomics.store(cells, DRAINED, 1)
  },
})
