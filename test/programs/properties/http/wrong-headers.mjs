// One flow adds a header when its look-up is done, another sends the answer.
import http from 'node:http'
// flags: --timers latency --max-findings 1 --confirm 1

const server = http.createServer((_request, response) => {
  setTimeout(() => {
    try {
      response.setHeader('x-user', 'ann') // expect HeadersSentTwice
    } catch {
      // somebody else will look into it
    }
  }, 5)
  setTimeout(() => response.end('answer'), 60)
})
server.listen(0, async () => {
  const answer = await fetch(`http://localhost:${server.address().port}`)
  await answer.text()
  server.close()
  server.closeAllConnections()
})
