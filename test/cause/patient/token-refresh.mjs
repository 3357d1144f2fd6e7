/** A token is good for 500 ms and is renewed when 200 ms of it are left; each request looks before it goes. */
import { createServer, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const issued = new Map()
let token = { name: '', until: 0 }
let renewing
const server = createServer((request, response) => {
  if (request.url === '/token') {
    const name = `t${issued.size + 1}`
    issued.set(name, Date.now() + 500)
    return response.end(name)
  }
  response.statusCode = Date.now() < (issued.get(request.headers.token) ?? 0) ? 200 : 401
  response.end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const ask = (path, headers = {}) =>
  new Promise((resolve, reject) => {
    get({ port: server.address().port, path, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (piece) => (text += piece)).on('end', () => resolve({ status: response.statusCode, text }))
    }).on('error', reject)
  })
async function fresh() {
  if (token.until - Date.now() > 200) return token.name
  renewing ??= ask('/token').then(({ text }) => {
    token = { name: text, until: issued.get(text) }
    renewing = undefined
  })
  await renewing
  return token.name
}
async function request() {
  const { status } = await ask('/', { token: await fresh() })
  if (status !== 200) throw new Error(`refused: ${status}`)
}
await Promise.all([request(), request(), sleep(30).then(request)])
server.close()
console.log('three requests')
