// jonvuri/mkpath#1 (PR #2, v1.0.0): stat, then mkdir: a second caller in between, and EEXIST reaches the first
// expects: property, atomicity at /a/b
// bug: node_modules/buggy/mkpath.js:16
// bug: node_modules/buggy/mkpath.js:23
const { pass, fail, hold, latch, load } = require('./harness.cjs')
const fs = require('fs')
const os = require('os')
const path = require('path')
const mkpath = load()
const dir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mkpath-')), 'a', 'b')
const second = latch()
let n = 0
hold(
  fs,
  'mkdir',
  (args, nth) => args[0] === dir && nth <= 1,
  () => second,
)
const end = (error) => {
  if (error) fail(error.code)
  if (++n === 2) pass()
}
mkpath(dir, end)
setTimeout(() => {
  mkpath(dir, (error) => {
    second.open()
    end(error)
  })
}, 200)
