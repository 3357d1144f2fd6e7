/** A connection that has not answered three pings in a row, 100 ms each, is closed. */
import { createServer, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const server = createServer((socket) => socket.on('data', (ping) => socket.write(ping)))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const socket = connect(server.address().port, '127.0.0.1')
let missing = 0
let closed = false
socket.on('data', () => (missing = 0))
const pinging = setInterval(() => {
  if (missing++ < 3) return socket.write('.')
  closed = true
  socket.destroy()
}, 100)
await sleep(450)
clearInterval(pinging)
if (closed) throw new Error('a living connection was closed')
socket.destroy()
server.close()
console.log('still connected')
