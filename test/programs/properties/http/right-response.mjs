// The last of them ends it.
import http from 'node:http'
// flags: --timers latency

const server = http.createServer((_request, response) => {
  let left = 2
  const part = (text) => {
    response.write(text)
    if (--left === 0) response.end()
  }
  setTimeout(part, 5, 'part')
  setTimeout(part, 60, 'answer')
})
server.listen(0, () => {
  http.get({ port: server.address().port, agent: false }, (answer) => answer.resume().on('end', () => server.close())) // ok
})
