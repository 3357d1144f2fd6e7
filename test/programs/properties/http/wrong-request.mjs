// One flow writes a part of a request, another ends it.
import http from 'node:http'
// flags: --timers latency --max-findings 1 --confirm 1

const server = http.createServer((request, response) => request.resume().on('end', () => response.end()))
server.listen(0, () => {
  const request = http.request({ method: 'POST', port: server.address().port, agent: false })
  request.on('error', () => {})
  request.on('response', (answer) => answer.resume())
  request.on('close', () => server.close())
  setTimeout(() => request.write('part'), 5) // expect RequestWrittenAfterEnd
  setTimeout(() => request.end('rest'), 60)
})
