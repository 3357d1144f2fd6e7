/** Callbacks of CommonJS: a file, then an immediate, against a timer. */
const fs = require('node:fs')

let loaded = false
let started = 0

fs.stat(__filename, () => {
  setImmediate(() => {
    loaded = true
  })
})
setTimeout(() => {
  if (!loaded) started-- // sensitive: harmful
  started++
}, 80)
process.on('exit', () => console.log(`started ${started}`))
