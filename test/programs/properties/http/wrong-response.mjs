// One flow writes a part, another ends the answer.
import http from 'node:http'
// flags: --timers latency --max-findings 1 --confirm 1

const server = http.createServer((_request, response) => {
  response.on('error', () => {})
  setTimeout(() => response.write('part'), 5) // expect ResponseWrittenAfterEnd
  setTimeout(() => response.end('answer'), 60)
})
server.listen(0, () => {
  http.get({ port: server.address().port, agent: false }, (answer) => answer.resume().on('end', () => server.close()))
})
