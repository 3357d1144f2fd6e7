/** The timer that is set first and expires first runs first, however late the loop is. */
let first = 0
let ran = 0

setTimeout(() => {
  first = 1
}, 10)
setTimeout(() => {
  ran += first === 1 ? 1 : 0
  setTimeout(() => {
    if (ran !== 1) throw new Error('never')
    console.log('ran')
  }, 5)
}, 30)
