/** Graceful shutdown: no new work, what runs ends first, then the resource is closed. Closing twice is one closing. */
import assert from 'node:assert'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

class Store {
  #file
  #running = new Set()
  #closing
  #opening = open(fileURLToPath(import.meta.url)).then((file) => (this.#file = file))
  async read(from, length) {
    if (this.#closing) throw new Error('closed')
    const work = (async () => {
      await this.#opening
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead).toString()
    })()
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }
  close() {
    return (this.#closing ??= (async () => {
      await this.#opening
      await Promise.allSettled(this.#running)
      await this.#file.close()
    })())
  }
}

const store = new Store()
const reads = [store.read(0, 3), store.read(4, 8)]
await sleep(2)
await Promise.all([store.close(), store.close()])
assert.deepEqual(await Promise.all(reads), ['/**', 'Graceful'])
await assert.rejects(store.read(0, 1), /closed/)
console.log('closed')
