/** Retry with a growing pause until the server is up. */
import assert from 'node:assert'
import { once } from 'node:events'
import { request, createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

let calls = 0
const server = createServer((_, response) => {
  response.statusCode = ++calls < 3 ? 503 : 200
  response.end(String(calls))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

function get() {
  return new Promise((resolve, reject) => {
    const { port } = server.address()
    const call = request({ port, host: '127.0.0.1', agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(response.statusCode))))
    })
    call.on('error', reject)
    call.end()
  })
}

async function retry(action, times, pause) {
  for (let i = 1; ; i++) {
    try {
      return await action()
    } catch (error) {
      if (i === times) throw error
      await sleep(pause * 2 ** i)
    }
  }
}

assert.equal(await retry(get, 5, 2), '3')
server.close()
console.log('third time')
