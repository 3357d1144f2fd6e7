// npm/write-file-atomic 8b550c0 "Serialize writes to same file" (v2.3.0): two writes to one file; the LAST CALL must win
// expects: order-violation, atomicity at state.json
// bug: node_modules/buggy/index.js:25
// bug: node_modules/buggy/index.js:56
// bug: node_modules/slide/lib/bind-actor.js:15
const { pass, fail, hold, latch, load } = require('./harness.cjs')
const fs = require('graceful-fs'),
  os = require('os'),
  path = require('path')
const wfa = load()
const p = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'wfa-')), 'state.json')
const bDone = latch()
let n = 0
hold(
  fs,
  'rename',
  (a) => a[1] === p && fs.readFileSync(a[0], 'utf8') === 'old',
  () => Promise.race([bDone, new Promise((r) => setTimeout(r, 300))]),
)
const end = () => {
  if (++n === 2) {
    const s = fs.readFileSync(p, 'utf8')
    if (s === 'new') pass()
    else fail('file holds stale value: ' + s)
  }
}
wfa(p, 'old', (e) => {
  if (e) fail(e.message)
  end()
})
setTimeout(
  () =>
    wfa(p, 'new', (e) => {
      if (e) fail(e.message)
      bDone.open()
      end()
    }),
  200,
)
