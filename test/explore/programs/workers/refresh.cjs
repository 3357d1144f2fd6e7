// A session that finds its token expired clears it and fetches another. Fails when another session takes the token in between; in the recorded run it does not expire in time.
const { run, pause } = require('./_roles.cjs')
const [EXPIRED, TOKEN] = [0, 1]
const CLEARED = -1

run(__filename, {
  session(cells, right) {
    Atomics.store(cells, TOKEN, 1)
    pause(120)
    if (Atomics.load(cells, EXPIRED) === 0) return
    if (!right) Atomics.store(cells, TOKEN, CLEARED)
    pause(10)
    Atomics.store(cells, TOKEN, 2)
  },
  other(cells) {
    pause(250)
    if (Atomics.load(cells, EXPIRED) === 1 && Atomics.load(cells, TOKEN) === CLEARED) throw new Error('sent without a token')
  },
  clock(cells) {
    pause(450)
    Atomics.store(cells, EXPIRED, 1)
  },
})
