/** A server that counts, clients with keep-alive, and a close that waits for all of them. */
import assert from 'node:assert'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'

let count = 0
const server = createServer((incoming, response) => {
  let body = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (part) => (body += part))
  incoming.on('end', () => {
    count++
    response.setHeader('content-type', 'text/plain')
    response.end(body.toUpperCase())
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const agent = new Agent({ keepAlive: true, maxSockets: 2 })
const post = (text) =>
  new Promise((resolve, reject) => {
    const call = request({ agent, method: 'POST', host: '127.0.0.1', port: server.address().port }, (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => resolve(Buffer.concat(parts).toString()))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(text)
  })
const answers = await Promise.all(['one', 'two', 'three', 'four'].map(post))
assert.deepEqual(answers, ['ONE', 'TWO', 'THREE', 'FOUR'])
assert.equal(count, 4)
agent.destroy()
server.close()
await once(server, 'close')
console.log('4 answers')
