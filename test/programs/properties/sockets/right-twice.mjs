// Two flows start one server, and the second sees that it listens.
import { createServer } from 'node:net'
// flags: --timers latency

const server = createServer()
let started = 0
const start = () => {
  if (!server.listening) server.listen(0)
  if (++started === 2) server.close()
}
setTimeout(start, 5)
setTimeout(start, 40) // ok
