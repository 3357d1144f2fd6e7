/** Timers of one delay run in the order in which they were set. */
let started = false
let ran = 0

setTimeout(() => {
  started = true
}, 20)
setTimeout(() => {
  if (!started) throw new Error('never')
  ran++
}, 20)
await new Promise((resolve) => setTimeout(resolve, 20))
if (ran === 1) console.log('ran')
