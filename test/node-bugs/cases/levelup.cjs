// Level/levelup#248 (c1c2ae6, v0.18.4): destroy() of a read stream before the db is open uses an iterator that does not exist yet
// expects: property, typestate, order-violation
// bug: node_modules/buggy/lib/read-stream.js:106
// bug: node_modules/buggy/lib/read-stream.js:113
// bug: node_modules/buggy/lib/levelup.js:121
const { forced, pass, fail, latch, load } = require('./harness.cjs')
const levelup = load()
const MemDOWN = require('memdown')
const openGate = latch()
const inherits = require('util').inherits
function Slow(l) {
  MemDOWN.call(this, l)
}
inherits(Slow, MemDOWN)
Slow.prototype._open = function (o, cb) {
  if (forced) openGate.then(() => MemDOWN.prototype._open.call(this, o, cb))
  else MemDOWN.prototype._open.call(this, o, cb)
}
const mk = (loc) => new Slow(loc)
const db = levelup('x' + Math.random(), { db: mk })
const rs = db.createReadStream()
rs.on('error', (e) => fail(e.message))
let closed = false
rs.on('close', () => {
  closed = true
})
setTimeout(() => {
  rs.destroy() // bug
  setTimeout(() => openGate.open(), 10)
}, 20) // e.g. the HTTP client went away
setTimeout(() => (closed ? pass() : fail('no close')), 100)
