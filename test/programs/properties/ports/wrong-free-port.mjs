// Two services look for a free port, close the probe, and listen a little later.
import { createServer } from 'node:net'
// flags: --timers latency --max-findings 1 --confirm 1

const probe = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(port, () => {
      const found = server.address().port
      server.close(() => resolve(found))
    })
  })
const serve = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(port, () => resolve(server)) // expect PortCheckThenAct
  })
const wanted = await probe(0)

async function service(delay) {
  await new Promise((resolve) => setTimeout(resolve, delay))
  const port = await probe(wanted).catch(() => 0)
  await new Promise((resolve) => setTimeout(resolve, 1))
  const server = await serve(port)
  setTimeout(() => server.close(), 200)
}
await Promise.all([service(1), service(80)])
