// The same, and who comes too late looks first.
import http from 'node:http'
// flags: --timers latency

const server = http.createServer((_request, response) => {
  setTimeout(() => {
    if (!response.headersSent) response.setHeader('x-user', 'ann')
  }, 5)
  setTimeout(() => response.end('answer'), 60)
})
server.listen(0, async () => {
  const answer = await fetch(`http://localhost:${server.address().port}`)
  await answer.text()
  server.close()
  server.closeAllConnections() // ok
})
