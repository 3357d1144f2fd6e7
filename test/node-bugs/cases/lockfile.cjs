// npm/lockfile#4 (and PR #1): stale-lock takeover is check-then-act (stat -> unlink -> open wx)
// expects: property, atomicity at l.lock
// bug: node_modules/buggy/lockfile.js:61
// bug: node_modules/buggy/lockfile.js:156
// bug: node_modules/buggy/lockfile.js:170
// bug: node_modules/buggy/lockfile.js:189
const { pass, fail, hold, latch, load } = require('./harness.cjs')
const fs = require('fs'),
  os = require('os'),
  path = require('path')
const lf = load()
const p = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lf-')), 'l.lock')
fs.writeFileSync(p, '') // a stale lock left by a crashed process
setTimeout(() => {
  const aHas = latch()
  let unlinks = 0
  // B's unlink lands after A re-created the lock file
  hold(
    fs,
    'unlink',
    (a) => a[0] === p && unlinks++ === 1,
    () => aHas,
  )
  const got = []
  let n = 0
  const end = () => {
    if (++n < 2) return
    if (got.length === 2) fail('two holders of one lock: ' + got)
    else pass('holders=' + got)
  }
  lf.lock(p, { stale: 1500 }, (er) => {
    if (!er) got.push('A')
    aHas.open()
    end()
  })
  lf.lock(p, { stale: 1500 }, (er) => {
    if (!er) got.push('B')
    aHas.open()
    end()
  })
}, 1600)
