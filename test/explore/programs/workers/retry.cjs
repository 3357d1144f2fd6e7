// A client that has no answer yet asks again under a new number. Fails when the server, which has answered the first by then, takes the second for another order.
const { run, pause } = require('./_roles.cjs')
const [ANSWER, ASKED, CHARGED] = [0, 1, 2]

run(__filename, {
  server(cells, right) {
    const asked = Atomics.load(cells, ASKED)
    Atomics.add(cells, CHARGED, 1)
    Atomics.store(cells, ANSWER, 1)
    pause(20)
    if (Atomics.load(cells, ASKED) === asked) return
    // One more request came while this one was served.
    if (right && Atomics.load(cells, CHARGED) === 1) return
    if (Atomics.add(cells, CHARGED, 1) === 1) throw new Error('charged twice')
  },
  client(cells) {
    pause(300)
    if (Atomics.load(cells, ANSWER) === 1) return
    pause(100)
    if (Atomics.load(cells, ANSWER) === 1) Atomics.add(cells, ASKED, 1)
  },
})
