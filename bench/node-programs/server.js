/** An http server as people write it: a router, JSON bodies, a cache, a file read now and then. It ends when asked to. */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'

const users = new Map()
const cache = new Map()
let served = 0

async function body(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

async function page(name) {
  const known = cache.get(name)
  if (known && known.uses++ < 50) return known.text
  const text = await readFile(new URL(import.meta.url), 'utf8')
  cache.set(name, { text: text.slice(0, 500), uses: 0 })
  return text.slice(0, 500)
}

const routes = {
  'POST /users': async (request) => {
    const user = await body(request)
    const id = users.size + 1
    users.set(id, { ...user, id, visits: 0 })
    return { id }
  },
  'GET /users': async (_, id) => {
    const user = users.get(Number(id))
    if (user) user.visits++
    return user ?? { error: 'no such user' }
  },
  'GET /page': async (_, name) => ({ page: await page(name ?? 'home') }),
}

let start
let cpu
const server = createServer(async (request, response) => {
  if (request.url === '/end') return end(response)
  start ??= performance.now()
  cpu ??= process.cpuUsage()
  const [, path, parameter] = request.url.split('/')
  const route = routes[`${request.method} /${path}`]
  const answer = route ? await route(request, parameter) : { error: 'not found' }
  served++
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answer))
})

function end(response) {
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: served }))
  response.end()
  server.close()
  server.closeAllConnections()
}
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
