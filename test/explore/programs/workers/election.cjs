// Two nodes stand for leader when the old one is not heard in time; in the recorded run it is. Fails when both find no leader.
const { run, pause } = require('./_roles.cjs')
const [BEAT, LEADER] = [0, 1]

const stand = (cells, right, id) => {
  if (Atomics.load(cells, BEAT) === 1) return
  if (right) {
    Atomics.compareExchange(cells, LEADER, 0, id)
    return
  }
  if (Atomics.load(cells, LEADER) !== 0) return
  Atomics.store(cells, LEADER, id)
  if (Atomics.load(cells, LEADER) !== id) throw new Error('two leaders')
}

run(__filename, {
  old: (cells) => Atomics.store(cells, BEAT, 1),
  first(cells, right) {
    pause(200)
    stand(cells, right, 1)
  },
  second(cells, right) {
    pause(350)
    stand(cells, right, 2)
  },
})
