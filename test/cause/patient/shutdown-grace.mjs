/** A server stops taking requests and gives those under way a second to end. */
import { readFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const server = createServer(async (_request, response) => response.end(String((await readFile(new URL(import.meta.url))).length)))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const answered = new Promise((resolve, reject) => {
  get({ port: server.address().port, agent: false }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on(
    'error',
    reject,
  )
})
await new Promise((resolve) => server.once('request', resolve))
const closed = new Promise((resolve) => server.close(resolve))
await Promise.race([closed, sleep(1000, undefined, { ref: false }).then(() => server.closeAllConnections())])
if ((await answered) !== 200) throw new Error('cut off')
console.log('answered')
