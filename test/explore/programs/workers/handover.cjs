// A consumer whose partition is revoked before it is done flushes its offset. Fails when the next one, which sees the flush, does not wait for its end.
const { run, pause } = require('./_roles.cjs')
const [REVOKED, FLUSHING, OFFSET, RELEASED] = [0, 1, 2, 3]

run(__filename, {
  owner(cells) {
    if (Atomics.load(cells, REVOKED) === 1) Atomics.store(cells, FLUSHING, 1)
    Atomics.store(cells, OFFSET, 7)
    Atomics.store(cells, RELEASED, 1)
    Atomics.notify(cells, RELEASED)
  },
  next(cells, right) {
    pause(300)
    Atomics.store(cells, REVOKED, 1)
    if (Atomics.load(cells, FLUSHING) === 0) return
    if (right) while (Atomics.load(cells, RELEASED) === 0) Atomics.wait(cells, RELEASED, 0)
    if (Atomics.load(cells, OFFSET) !== 7) throw new Error('starts before the last offset')
  },
})
