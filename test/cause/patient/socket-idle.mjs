/** A server closes connections that say nothing for 500 ms. */
import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

const server = createServer((socket) => {
  socket.setTimeout(500, () => socket.destroy())
  socket.on('data', (data) => socket.write(data))
  socket.on('error', () => {})
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const socket = connect(server.address().port, '127.0.0.1')
await once(socket, 'connect')
for (let i = 0; i < 3; i++) {
  await readFile(new URL(import.meta.url))
  socket.write(`${i}`)
  const [data] = await once(socket, 'data', { signal: AbortSignal.timeout(2000) })
  if (String(data) !== String(i)) throw new Error(`an echo of ${data}`)
}
socket.destroy()
server.close()
console.log('three echoes')
