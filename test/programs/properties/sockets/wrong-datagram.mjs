// A datagram socket that one closes and another still sends from.
import { createSocket } from 'node:dgram'
// flags: --timers latency --max-findings 1 --confirm 1

const socket = createSocket('udp4')
socket.bind(0, '127.0.0.1', () => {
  const { port } = socket.address()
  setTimeout(() => {
    try {
      socket.send('news', port, '127.0.0.1') // expect DatagramAfterClose
    } catch {
      // the news are lost
    }
  }, 5)
  setTimeout(() => socket.close(), 40)
})
