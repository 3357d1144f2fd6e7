/** A request that fails is made again, three times at most; the server refuses the first one of each client. */
import { createServer, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const seen = new Set()
const server = createServer((request, response) => {
  response.statusCode = seen.has(request.url) ? 200 : 503
  seen.add(request.url)
  response.end('answer')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const ask = (path) =>
  new Promise((resolve, reject) => {
    const request = get({ port: server.address().port, path, agent: false, timeout: 1000 }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    request.on('error', reject).on('timeout', () => request.destroy(new Error('timed out')))
  })
async function patiently(path) {
  for (let tries = 1; ; tries++) {
    const status = await ask(path).catch(() => 0)
    if (status === 200) return
    if (tries === 3) throw new Error(`${path}: given up`)
    await sleep(20 * tries)
  }
}
await Promise.all([patiently('/a'), patiently('/b')])
server.close()
console.log('a b')
