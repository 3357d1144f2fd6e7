// Vincit/tarn.js#29 (v2.0.0): pool.destroy() resolves while a resource that was thrown out before is still being destroyed
// expects: order-violation at Set
const { forced, pass, fail, latch, load } = require('./harness.cjs')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { Pool } = load()
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tarn-'))
const late = latch()
const open = new Set()
let created = 0
const pool = new Pool({
  min: 0,
  max: 2,
  create: async () => {
    const file = path.join(dir, `lock${created++}`)
    await fs.promises.writeFile(file, '')
    open.add(file)
    return { file, good: created > 1 }
  },
  validate: (resource) => resource.good,
  destroy: async (resource) => {
    if (forced && !resource.good) await late
    await fs.promises.unlink(resource.file)
    open.delete(resource.file) // bug
  },
})
;(async () => {
  // The first resource turns out bad when it is taken for the second time: it is thrown out, in the background.
  pool.release(await pool.acquire().promise)
  pool.release(await pool.acquire().promise)
  await new Promise((resolve) => setTimeout(resolve, 30))
  setTimeout(late.open, 60)
  await pool.destroy()
  if (open.size === 0)
    // bug
    pass()
  else fail(`the pool is gone but ${open.size} resource is not`)
})()
