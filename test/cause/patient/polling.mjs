/** Looks every 20 ms whether a service is ready, for a second at most. */
import { createServer } from 'node:net'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const state = { ready: false }
const server = createServer((socket) => socket.end('ok'))
async function start() {
  await readFile(new URL(import.meta.url))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.ready = true
}
const starting = start()
for (let left = 50; !state.ready; left--) {
  if (left === 0) throw new Error('the service did not start')
  await sleep(20)
}
await starting
server.close()
console.log('ready')
