/** A service is waited for until it answers, 20 times 50 ms; it needs a file before it listens. */
import { readFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const server = createServer((socket) => socket.end('up'))
let port
void readFile(new URL(import.meta.url)).then(() => server.listen(0, '127.0.0.1', () => (port = server.address().port)))
const isUp = () =>
  new Promise((resolve) => {
    if (port === undefined) return resolve(false)
    const socket = connect(port, '127.0.0.1')
    socket.on('data', () => resolve(true)).on('error', () => resolve(false))
  })
let up = false
for (let tries = 0; tries < 20 && !(up = await isUp()); tries++) await sleep(50)
if (!up) throw new Error('it did not come up')
server.close()
console.log('up')
