// substack/node-mkdirp b412919/43a958e (test/race.js, Node.fz "MKD"): two concurrent mkdirp of same path -> EEXIST leaks to caller
// expects: property, atomicity at /a
// bug: node_modules/buggy/index.js:9
// bug: node_modules/buggy/index.js:10
// bug: node_modules/buggy/index.js:13
const { forced, pass, fail, hold, latch, load } = require('./harness.cjs')
const fs = require('fs'),
  os = require('os'),
  path = require('path')
path.exists = fs.exists // removed from node; package is from 2011
const mkdirp = load().mkdirp
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'mk-'))
const d = base + '/a'
const b = latch()
let n = 0
// natural: 2nd caller's exists() is after 1st caller's mkdir.  forced: 1st exists->mkdir gap contains 2nd exists
let k = 0
hold(
  fs,
  'mkdir',
  (a) => a[0] === d && k++ === 0,
  () => b,
)
const end = (e) => {
  if (e) fail('EEXIST leaked: ' + e.code)
  if (++n === 2) pass()
}
mkdirp(d, 0o755, end)
const second = () =>
  mkdirp(d, 0o755, (e) => {
    b.open()
    end(e)
  })
if (forced) {
  path.exists = (
    (o) => (p, cb) =>
      o(p, (x) => cb(x))
  )(path.exists)
  setTimeout(second, 200)
} else setTimeout(second, 200)
