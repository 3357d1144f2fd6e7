/** Immediates run in order, before a timer that is set in the same callback, and after the ticks of their maker. */
import fs from 'node:fs'

const log = []
let done

fs.stat(new URL(import.meta.url), () => {
  setTimeout(() => {
    if (log.length !== 3) throw new Error('never')
    done()
  }, 1)
  setImmediate(() => {
    if (log[0] === 'tick') log.push('first')
  })
  setImmediate(() => {
    if (log.length === 2) log.push('second')
  })
  process.nextTick(() => log.push('tick'))
})
await new Promise((resolve) => {
  done = resolve
})
console.log(log.join(' '))
