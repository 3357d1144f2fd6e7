/**
 * What the programs of the rules are written with: posts that log themselves. `run(rounds, body)` calls body(go) again and again, each time when
 * all of the round before has called back, from a given phase of the loop, and prints how often each order came.
 */
const fs = require('node:fs')
const { TCP } = process.binding('tcp_wrap')

let log = []
let events = []
let open = 0
let finished = () => {}
let began = 0
const now = () => Number(process.hrtime.bigint() / 10000n) / 100

exports.busy = (ms) => {
  const end = process.hrtime.bigint() + BigInt(Math.round(ms * 1e6))
  while (process.hrtime.bigint() < end);
}

function wrap(name, queue, then) {
  open++
  events.push({ post: name, queue })
  return () => {
    log.push(name)
    events.push({ turn: name, at: now() - began })
    then?.()
    if (--open === 0) finished()
  }
}

exports.timer = (name, delay, then) => setTimeout(wrap(name, 'timer ' + delay, then), delay)
exports.immediate = (name, then) => setImmediate(wrap(name, 'immediate', then))
exports.io = (name, then) => fs.stat('.', wrap(name, 'fs', then))
exports.close = (name, then) => new TCP(TCP.constants?.SOCKET ?? 0).close(wrap(name, 'close', then))
exports.note = (name) => log.push(name)

/** Begins from: 'poll', 'check', 'timers', 'close'. */
const begin = {
  poll: (f) => fs.stat('.', f),
  check: (f) => setImmediate(f),
  timers: (f) => setTimeout(f, 2),
  close: (f) => new TCP(0).close(f),
}

function once(from, body) {
  return new Promise((resolve) => {
    log = []
    events = []
    // The round is over some time after its last callback, so that rounds do not meet.
    finished = () => setTimeout(resolve, 3, { log, events })
    begin[from](() => {
      began = now()
      open++
      body()
      if (--open === 0) finished()
    })
  })
}

/** Prints {order: count}. */
exports.rounds = async (from, count, body) => {
  const seen = {}
  for (let i = 0; i < count; i++) {
    const { log } = await once(from, () => body(i))
    seen[log.join(' ')] = (seen[log.join(' ')] ?? 0) + 1
  }
  console.log(JSON.stringify(seen))
}

/** Prints the events of one round after another, a line each. */
exports.recorded = async (from, body) => {
  const { events } = await once(from, body)
  console.log(JSON.stringify(events))
}
