/** A mutex around a file that is read, changed and written: no increment is lost. */
import assert from 'node:assert'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

class Mutex {
  #tail = Promise.resolve()
  run(action) {
    const result = this.#tail.then(action)
    this.#tail = result.catch(() => {})
    return result
  }
}

const dir = await mkdtemp(join(tmpdir(), 'mutex-'))
const file = join(dir, 'counter')
await writeFile(file, '0')
const mutex = new Mutex()
const increment = () =>
  mutex.run(async () => {
    const n = Number(await readFile(file, 'utf8'))
    await writeFile(file, String(n + 1))
  })
await Promise.all([increment(), increment(), increment(), increment()])
assert.equal(await readFile(file, 'utf8'), '4')
await rm(dir, { recursive: true })
console.log('4 increments, none lost')
