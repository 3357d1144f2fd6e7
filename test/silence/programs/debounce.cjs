/** A debounced save: each call puts the timer off; the last value is the one saved, once. */
const assert = require('node:assert')

function debounce(action, ms) {
  let timer
  return (value) => {
    clearTimeout(timer)
    timer = setTimeout(action, ms, value)
  }
}

const saved = []
const save = debounce((value) => saved.push(value), 40)
let n = 0
const typing = setInterval(() => {
  save(++n)
  if (n < 5) return
  clearInterval(typing)
  setTimeout(() => {
    assert.deepEqual(saved, [5])
    console.log('saved 5 once')
  }, 100)
}, 5)
