/** Files sent zipped by koa, and read by a client that unzips them. */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { createGunzip, createGzip } from 'node:zlib'
import Koa from 'koa'
import { inFolder, listening, together } from './_parts.mjs'

await inFolder(async (folder) => {
  await together(4, (i) => writeFile(join(folder, `${i}.txt`), `line ${i}\n`.repeat(3000)))
  const app = new Koa()
  app.use((ctx) => {
    ctx.set('content-encoding', 'gzip')
    ctx.body = createReadStream(join(folder, ctx.path.slice(1))).pipe(createGzip())
  })
  const { port, close } = await listening(app.listen(0))
  const lengths = await together(
    4,
    (i) =>
      new Promise((resolve, reject) => {
        get({ port, path: `/${i}.txt`, agent: false }, (res) => {
          let length = 0
          res
            .pipe(createGunzip())
            .on('data', (part) => (length += part.length))
            .on('end', () => resolve(length))
            .on('error', reject)
        }).on('error', reject)
      }),
  )
  assert.deepEqual(lengths, [21000, 21000, 21000, 21000])
  await close()
  console.log('unzipped:', lengths.length)
})
