// The last of them ends it.
import http from 'node:http'
// flags: --timers latency

const server = http.createServer((request, response) => request.resume().on('end', () => response.end()))
server.listen(0, () => {
  const request = http.request({ method: 'POST', port: server.address().port, agent: false })
  request.on('response', (answer) => answer.resume())
  request.on('close', () => server.close())
  let left = 2
  const part = (text) => {
    request.write(text)
    if (--left === 0) request.end()
  }
  setTimeout(part, 5, 'part')
  setTimeout(part, 60, 'rest') // ok
})
