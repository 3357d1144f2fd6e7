/** Questions and answers by datagrams, with a deadline for each. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { together } from './_parts.mjs'

const server = createSocket('udp4')
server.on('message', (data, { port }) => server.send(`pong ${data}`, port, '127.0.0.1'))
server.bind(0, '127.0.0.1')
await once(server, 'listening')
const answers = await together(4, async (i) => {
  const socket = createSocket('udp4')
  socket.send(`${i}`, server.address().port, '127.0.0.1')
  const [data] = await once(socket, 'message', { signal: AbortSignal.timeout(5000) })
  socket.close()
  return String(data)
})
assert.deepEqual(answers, ['pong 0', 'pong 1', 'pong 2', 'pong 3'])
server.close()
console.log(answers.join(', '))
