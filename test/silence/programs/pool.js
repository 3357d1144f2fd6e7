/** A pool of two connections to a server; draining waits for what is borrowed. */
import assert from 'node:assert'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const server = createServer((socket) => socket.on('data', (data) => socket.write(data)))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address()

class Pool {
  #idle = []
  #waiting = []
  #made = 0
  #borrowed = 0
  #drained
  async acquire() {
    if (this.#drained) throw new Error('draining')
    this.#borrowed++
    if (this.#idle.length > 0) return this.#idle.pop()
    if (this.#made < 2) {
      this.#made++
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
  release(socket) {
    this.#borrowed--
    const next = this.#waiting.shift()
    if (next) next(socket)
    else this.#idle.push(socket)
    if (this.#borrowed === 0) this.#drained?.resolve()
  }
  async drain() {
    this.#drained = {}
    this.#drained.promise = new Promise((resolve) => (this.#drained.resolve = resolve))
    if (this.#borrowed === 0) this.#drained.resolve()
    await this.#drained.promise
    for (const socket of this.#idle) socket.end()
  }
}

const pool = new Pool()
const ask = async (word) => {
  const socket = await pool.acquire()
  socket.write(word)
  const [answer] = await once(socket, 'data')
  pool.release(socket)
  return String(answer)
}
const words = ['a', 'b', 'c', 'd', 'e']
const answers = Promise.all(words.map(ask))
await Promise.all([answers, pool.drain()])
assert.deepEqual(await answers, words)
server.close()
await once(server, 'close')
console.log(words.join(' '))
