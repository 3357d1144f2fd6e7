/** A protocol of lines over TCP: several clients with requests that are answered in any order. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { listening, sleep, together } from './_parts.mjs'

const server = createServer((socket) => {
  createInterface({ input: socket }).on('line', async (line) => {
    const [id, word] = line.split(' ')
    if (Number(id) % 3 === 0) await sleep(10)
    socket.write(`${id} ${word.toUpperCase()}\n`)
  })
}).listen(0)
const { port, close } = await listening(server)
const results = await together(3, async (c) => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map()
  createInterface({ input: socket }).on('line', (line) => {
    const [id, word] = line.split(' ')
    waiting.get(id)(word)
  })
  const ask = (id, word) =>
    new Promise((resolve) => {
      waiting.set(`${id}`, resolve)
      socket.write(`${id} ${word}\n`)
    })
  const words = await together(5, (i) => ask(c * 10 + i, `word${i}`))
  socket.end()
  return words.join(' ')
})
assert.equal(new Set(results).size, 1)
await close()
console.log(results[0])
