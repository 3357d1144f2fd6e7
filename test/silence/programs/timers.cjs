/** Orders that Node promises: ticks, then microtasks, equal timers in order of their calls, immediates in theirs. */
const assert = require('node:assert')

const seen = []
setTimeout(() => seen.push('timer 1'), 5)
setTimeout(() => {
  seen.push('timer 2')
  process.nextTick(() => seen.push('tick'))
  Promise.resolve().then(() => seen.push('microtask'))
}, 5)
setTimeout(() => seen.push('timer 3'), 5)
setTimeout(() => {
  setImmediate(() => seen.push('immediate 1'))
  setImmediate(() => seen.push('immediate 2'))
  setTimeout(() => {
    assert.deepEqual(seen, ['timer 1', 'timer 2', 'tick', 'microtask', 'timer 3', 'immediate 1', 'immediate 2'])
    console.log(seen.join(', '))
  }, 20)
}, 6)
