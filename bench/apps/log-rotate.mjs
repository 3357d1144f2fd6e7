/** A log that is written by streams, zipped when it is full, and read again by lines. */
import assert from 'node:assert/strict'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { inFolder } from './_parts.mjs'

await inFolder(async (folder) => {
  const zipping = []
  for (let part = 0; part < 3; part++) {
    const file = join(folder, `log.${part}`)
    const log = createWriteStream(file)
    for (let i = 0; i < 200; i++) log.write(`part ${part} line ${i}\n`)
    log.end()
    await finished(log)
    zipping.push(pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`)).then(() => rm(file)))
  }
  await Promise.all(zipping)
  const names = (await readdir(folder)).sort()
  assert.deepEqual(names, ['log.0.gz', 'log.1.gz', 'log.2.gz'])
  const counts = await Promise.all(
    names.map(async (name) => {
      let count = 0
      for await (const _line of createInterface({ input: createReadStream(join(folder, name)).pipe(createGunzip()) })) count++
      return count
    }),
  )
  assert.deepEqual(counts, [200, 200, 200])
  console.log(
    'lines:',
    counts.reduce((a, b) => a + b),
  )
})
