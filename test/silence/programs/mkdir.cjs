/** Making the same directories many times at once: an EEXIST is as good as having made it. */
const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

function ensure(dir, callback) {
  fs.mkdir(dir, (error) => {
    if (!error || error.code === 'EEXIST') return callback(null)
    if (error.code !== 'ENOENT') return callback(error)
    ensure(path.dirname(dir), (error) => (error ? callback(error) : ensure(dir, callback)))
  })
}

const base = fs.mkdtempSync(path.join(os.tmpdir(), 'ensure-'))
const dirs = ['a/b/c', 'a/b', 'a/b/d', 'a/b/c'].map((dir) => path.join(base, dir))
let open = dirs.length
const end = (error) => {
  assert.ifError(error)
  if (--open > 0) return
  assert.ok(dirs.every((dir) => fs.statSync(dir).isDirectory()))
  fs.rmSync(base, { recursive: true })
  console.log('made')
}
for (const dir of dirs.slice(0, 2)) ensure(dir, end)
setTimeout(() => {
  for (const dir of dirs.slice(2)) ensure(dir, end)
}, 5)
