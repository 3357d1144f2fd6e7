/** Uploads streamed to files and hashed on the way, behind express. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { inFolder, listening, together } from './_parts.mjs'

await inFolder(async (folder) => {
  const app = express()
  app.put('/files/:name', async (req, res) => {
    const hash = createHash('sha256')
    const look = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    await pipeline(req, look, createWriteStream(join(folder, req.params.name)))
    res.json({ hash: hash.digest('hex') })
  })
  app.get('/files/:name', (req, res) => res.sendFile(join(folder, req.params.name)))
  const { url, close } = await listening(app.listen(0))
  const sizes = await together(5, async (i) => {
    const body = Buffer.alloc(20_000 * (i + 1), `${i}`)
    const answer = await fetch(`${url}/files/f${i}`, { method: 'PUT', body })
    assert.equal((await answer.json()).hash, createHash('sha256').update(body).digest('hex'))
    const back = Buffer.from(await (await fetch(`${url}/files/f${i}`)).arrayBuffer())
    assert.deepEqual(back, await readFile(join(folder, `f${i}`)))
    return (await stat(join(folder, `f${i}`))).size
  })
  await close()
  console.log(
    'bytes:',
    sizes.reduce((a, b) => a + b),
  )
})
