/** Sixteen clients with a connection each:  node hot-key-load.js PORT WARM-UP REQUESTS. */
import { Agent, request } from 'node:http'

const [port, warmUp, measured] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

function call(method, path, data) {
  return new Promise((resolve, reject) => {
    const headers = data === undefined ? {} : { 'content-type': 'application/json' }
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    outgoing.on('error', reject)
    outgoing.end(data)
  })
}

async function buy(total) {
  let left = total
  const client = async () => {
    while (left-- > 0) await call('POST', '/buy/lamp', '{"count":1}')
  }
  await Promise.all(Array.from({ length: 16 }, client))
}
await buy(warmUp)
await call('GET', '/begin')
await buy(measured)
await call('GET', '/end').catch(() => {})
agent.destroy()
