/** Write beside and rename: readers see a whole old file or a whole new one. Writers of one file wait for each other. */
const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rename-'))
const file = path.join(dir, 'state')
fs.writeFileSync(file, 'A'.repeat(1000))
let tail = Promise.resolve()
let n = 0
function save(text) {
  const temporary = `${file}.${++n}`
  const saved = tail.then(() => fs.promises.writeFile(temporary, text)).then(() => fs.promises.rename(temporary, file))
  tail = saved.catch(() => {})
  return saved
}
async function read() {
  const text = await fs.promises.readFile(file, 'utf8')
  assert.equal(text.length, 1000)
  assert.equal(new Set(text).size, 1)
}
async function main() {
  await Promise.all([save('B'.repeat(1000)), read(), save('C'.repeat(1000)), read(), read()])
  assert.equal(fs.readFileSync(file, 'utf8')[0], 'C')
  fs.rmSync(dir, { recursive: true })
  console.log('last one is C')
}
main()
