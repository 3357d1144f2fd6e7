/** An index of a folder: walked, hashed a few at a time, written, and read again. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { inFolder, together } from './_parts.mjs'

await inFolder(async (folder) => {
  await together(3, async (d) => {
    await mkdir(join(folder, `d${d}`))
    await together(5, (f) => writeFile(join(folder, `d${d}`, `f${f}`), `${d} ${f}`.repeat(100 * (f + 1))))
  })
  const limit = pLimit(3)
  const index = {}
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        limit(async () => {
          const path = join(entry.parentPath ?? entry.path, entry.name)
          index[path.slice(folder.length + 1)] = createHash('sha1')
            .update(await readFile(path))
            .digest('hex')
        }),
      ),
  )
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  const back = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
  assert.equal(Object.keys(back).length, 15)
  console.log('files:', Object.keys(back).length)
})
