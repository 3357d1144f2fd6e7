/** Uploads of one user, who has room for two of them. */
// expects: atomicity at files
// protection: atomic statement
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import express from 'express'
import { choose, clients, here, listening } from './_parts.mjs'

const folder = await mkdtemp(join(tmpdir(), 'uploads-'))
const db = new Database(join(folder, 'app.db'))
db.exec('CREATE TABLE files (name text PRIMARY KEY, user int, size int)')
db.exec("INSERT INTO files VALUES ('first', 1, 600)")
const QUOTA = 1000

const store = choose({
  async wrong(user, name, bytes) {
    const { used } = db.prepare('SELECT sum(size) AS used FROM files WHERE user = ?').get(user) // bug
    if (used + bytes.length > QUOTA) return false
    await writeFile(join(folder, `${name}.bin`), bytes)
    await here()
    db.prepare('INSERT INTO files VALUES (?, ?, ?)').run(name, user, bytes.length) // bug
    return true
  },
  async right(user, name, bytes) {
    const size = bytes.length
    const reserve = 'INSERT INTO files SELECT ?, ?, ? WHERE (SELECT sum(size) FROM files WHERE user = ?) + ? <= ?'
    if (db.prepare(reserve).run(name, user, size, user, size, QUOTA).changes === 0) return false
    await writeFile(join(folder, `${name}.bin`), bytes)
    return true
  },
})

const app = express()
app.use(express.raw())
app.put('/files/:name', async (request, response) => {
  response.json({ stored: await store(1, request.params.name, request.body) })
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
const put = (name) => async () => {
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await fetch(`${url}/files/${name}`, { method: 'PUT', headers, body: Buffer.alloc(300) })
  await answer.json()
}
await clients(put('a'), put('b'))
const { used } = db.prepare('SELECT sum(size) AS used FROM files WHERE user = 1').get()
const written = (await readdir(folder)).filter((name) => name.endsWith('.bin'))
await close()
db.close()
await rm(folder, { recursive: true })
assert.ok(used <= QUOTA)
assert.equal(written.length, 1)
console.log('within the quota')
