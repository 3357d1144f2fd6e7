// Both let the system choose.
import { createServer } from 'node:net'
// flags: --timers latency

async function service(delay) {
  await new Promise((resolve) => setTimeout(resolve, delay))
  const server = createServer()
  await new Promise((resolve, reject) => server.on('error', reject).listen(0, resolve))
  setTimeout(() => server.close(), 20)
}
await Promise.all([service(1), service(40)]) // ok
