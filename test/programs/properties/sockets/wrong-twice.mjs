// Two flows start one server.
import { createServer } from 'node:net'
// flags: --timers latency --max-findings 1 --confirm 1

const server = createServer()
const start = () => {
  try {
    server.listen(0) // expect ServerListensTwice
  } catch {
    // it listens already
  }
}
setTimeout(start, 5)
setTimeout(() => server.close(), 40)
setTimeout(start, 80)
setTimeout(() => server.close(), 120)
