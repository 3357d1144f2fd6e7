// caolan/async, memoize (queues added in 0.1.12): two calls with one key before the first answer run the function twice
// expects: atomicity at device
// bug: node_modules/buggy/lib/async.js:657
// bug: node_modules/buggy/lib/async.js:662
const { pass, fail, hold, sleep, load } = require('./harness.cjs')
const fs = require('fs')
const os = require('os')
const path = require('path')
const async = load()
const counter = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'memo-')), 'counter')
fs.writeFileSync(counter, '0')
hold(
  fs,
  'readFile',
  () => true,
  () => sleep(400),
  'finish',
)
let runs = 0
// For example: opens the one connection to a device
const open = async.memoize((name, callback) => {
  fs.readFile(counter, 'utf8', (error, text) => {
    runs++
    callback(error, `${name}${text}#${runs}`)
  })
})
const got = []
const end = (error, value) => {
  if (error) fail(error.message)
  got.push(value)
  if (got.length < 2) return
  if (got[0] === got[1]) pass()
  else fail(`opened ${runs} times: ${got}`)
}
open('device', end)
setTimeout(() => open('device', end), 200)
