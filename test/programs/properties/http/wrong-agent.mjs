// A connection is made ahead. A janitor destroys it when nobody has used it for a while; a request that comes then is given the dead one.
import http from 'node:http'
import { connect } from 'node:net'
// flags: --timers latency --max-findings 1 --confirm 1

const server = http.createServer((_request, response) => response.end('answer'))
server.listen(0, () => {
  const { port } = server.address()
  const kept = connect(port, () => {
    server.close()
    setTimeout(() => {
      const request = http.get({ port, createConnection: () => kept }, (answer) => answer.resume()) // expect RequestOnDestroyedSocket
      request.on('error', () => {})
    }, 5)
    setTimeout(() => kept.destroy(), 90)
  })
})
