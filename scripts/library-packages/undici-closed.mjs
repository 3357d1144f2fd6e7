// packages: undici
import http from 'node:http'
import { Client } from 'undici'
// flags: --timers latency --max-findings 1

const server = http.createServer((_request, response) => response.end('answer'))
const port = await new Promise((resolve) => server.listen(0, () => resolve(server.address().port)))
server.unref()
const client = new Client(`http://127.0.0.1:${port}`)
const use = async () => {
  await client.request({ path: '/', method: 'GET' }).then(({ body }) => body.text()) // expect DispatcherUsedAfterClose
}
setTimeout(use, 5)
setTimeout(() => client.close(), 100)
