/** Sixteen clients with a connection each:  node load.js PORT REQUESTS.  Then it asks the server to end. */
import { Agent, request } from 'node:http'

const port = Number(process.argv[2])
const total = Number(process.argv[3])
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

function call(method, path, data) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve(JSON.parse(text || '{}')))
    })
    outgoing.on('error', reject)
    outgoing.end(data)
  })
}

let left = total
async function client(n) {
  while (left-- > 0) {
    if (left % 3 === 0) await call('POST', '/users', JSON.stringify({ name: `user ${left}`, group: n }))
    else if (left % 3 === 1) await call('GET', `/users/${(left % 50) + 1}`)
    else await call('GET', `/page/${left % 7}`)
  }
}
await Promise.all(Array.from({ length: 16 }, (_, n) => client(n)))
await call('GET', '/end').catch(() => {})
agent.destroy()
