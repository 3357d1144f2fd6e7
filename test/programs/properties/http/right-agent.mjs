// The same, with a look at `destroyed` first.
import http from 'node:http'
import { connect } from 'node:net'
// flags: --timers latency

const server = http.createServer((_request, response) => response.end('answer'))
server.listen(0, () => {
  const { port } = server.address()
  const kept = connect(port, () => {
    server.close()
    setTimeout(() => {
      if (kept.destroyed) return
      const request = http.get({ port, createConnection: () => kept }, (answer) => answer.resume())
      request.on('error', () => {})
    }, 5)
    setTimeout(() => kept.destroy(), 90) // ok
  })
})
