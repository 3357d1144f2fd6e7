// A writer that finds a snapshot running writes beside it, and the snapshot takes that in when it ends. Fails when it has taken it in before. In the recorded run no snapshot runs.
const { run, pause } = require('./_roles.cjs')
const [RUNNING, ROW, BESIDE, SAVED, ENDED] = [0, 1, 2, 3, 4]

const takeIn = (cells) => {
  if (Atomics.exchange(cells, BESIDE, 0) !== 0) Atomics.store(cells, ROW, 9)
}

run(__filename, {
  writer(cells, right) {
    if (Atomics.load(cells, RUNNING) === 0) Atomics.store(cells, ROW, 9)
    else {
      Atomics.store(cells, BESIDE, 9)
      // It has ended meanwhile, and may have looked before.
      if (right && Atomics.load(cells, RUNNING) === 0) takeIn(cells)
    }
    Atomics.store(cells, SAVED, 1)
  },
  snapshot(cells, right) {
    pause(300)
    Atomics.store(cells, RUNNING, 1)
    pause(20)
    if (right) Atomics.store(cells, RUNNING, 0)
    takeIn(cells)
    Atomics.store(cells, RUNNING, 0)
    Atomics.store(cells, ENDED, 1)
  },
  reader(cells) {
    pause(500)
    if (Atomics.load(cells, SAVED) === 1 && Atomics.load(cells, ENDED) === 1 && Atomics.load(cells, ROW) !== 9)
      throw new Error('a row was lost')
  },
})
