// A worker that cannot get the queue's lock at once leaves its job in a side slot, which the holder of the lock looks at before it leaves. Fails when it has looked already.
const { run, pause } = require('./_roles.cjs')
const [LOCK, SIDE, DONE, ENDED] = [0, 1, 2, 3]

const submit = (cells, right, job) => {
  if (Atomics.compareExchange(cells, LOCK, 0, 1) !== 0) {
    Atomics.store(cells, SIDE, job)
    if (!right) return
    // The holder may have looked before: who gets the lock takes the job out.
    while (Atomics.load(cells, SIDE) === job) {
      if (Atomics.compareExchange(cells, LOCK, 0, 1) !== 0) continue
      if (Atomics.exchange(cells, SIDE, 0) !== 0) Atomics.add(cells, DONE, 1)
      Atomics.store(cells, LOCK, 0)
    }
    return
  }
  Atomics.add(cells, DONE, 1)
  if (Atomics.exchange(cells, SIDE, 0) !== 0) Atomics.add(cells, DONE, 1)
  Atomics.store(cells, LOCK, 0)
}

run(__filename, {
  first(cells, right) {
    submit(cells, right, 1)
    end(cells)
  },
  second(cells, right) {
    pause(300)
    submit(cells, right, 2)
    end(cells)
  },
})

function end(cells) {
  if (Atomics.add(cells, ENDED, 1) === 1 && Atomics.load(cells, DONE) !== 2) throw new Error('a job was left behind')
}
