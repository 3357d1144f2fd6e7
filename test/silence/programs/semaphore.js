/** A semaphore keeps at most three files open, and all are read. */
import assert from 'node:assert'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

class Semaphore {
  #free
  #waiting = []
  constructor(free) {
    this.#free = free
  }
  async acquire() {
    if (this.#free > 0) this.#free--
    else await new Promise((resolve) => this.#waiting.push(resolve))
  }
  release() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

const here = dirname(fileURLToPath(import.meta.url))
const names = (await readdir(here)).filter((name) => name.endsWith('.js')).slice(0, 8)
const semaphore = new Semaphore(3)
let inside = 0
let most = 0
const sizes = await Promise.all(
  names.map(async (name) => {
    await semaphore.acquire()
    try {
      most = Math.max(most, ++inside)
      const file = await open(join(here, name))
      const { size } = await file.stat()
      await file.close()
      return size
    } finally {
      inside--
      semaphore.release()
    }
  }),
)
assert.equal(inside, 0)
assert.ok(most <= 3)
assert.ok(sizes.every((size) => size > 0))
console.log(`${sizes.length} files`)
