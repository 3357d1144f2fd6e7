// It is closed when all is sent.
import { createSocket } from 'node:dgram'
// flags: --timers latency

const socket = createSocket('udp4')
socket.bind(0, '127.0.0.1', () => {
  const { port } = socket.address()
  let left = 2
  const send = () => socket.send('news', port, '127.0.0.1', () => --left === 0 && socket.close())
  setTimeout(send, 5)
  setTimeout(send, 40) // ok
})
