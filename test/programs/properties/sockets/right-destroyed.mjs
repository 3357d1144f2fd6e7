// The answer and the time-out know of each other.
import { connect, createServer } from 'node:net'
// flags: --timers latency

const server = createServer((socket) => {
  let over = false
  const once = (action) => () => {
    if (over) return
    over = true
    action()
  }
  setTimeout(
    once(() => socket.end('answer')),
    5,
  )
  setTimeout(
    once(() => socket.destroy()),
    60,
  )
})
server.listen(0, () => {
  const socket = connect(server.address().port).resume()
  socket.on('close', () => server.close()) // ok
})
