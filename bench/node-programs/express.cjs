/** An express application of the usual size: JSON bodies, a router, files from a folder, errors. The load is that of server.js, and so is its end. */
const path = require('node:path')
const express = require(require.resolve('express', { paths: [process.cwd()] }))

const app = express()
const users = new Map()
let served = 0
let start
let cpu

app.use((request, response, next) => {
  if (request.url !== '/end') {
    start ??= performance.now()
    cpu ??= process.cpuUsage()
    served++
  }
  response.setHeader('x-served', served)
  next()
})
app.use(express.json({ type: () => true }))
app.use('/files', express.static(__dirname))

const router = express.Router()
router.post('/', (request, response) => {
  const id = users.size + 1
  users.set(id, { ...request.body, id, visits: 0 })
  response.status(201).json({ id })
})
router.get('/:id', async (request, response, next) => {
  const user = users.get(Number(request.params.id))
  await new Promise(setImmediate)
  if (user === undefined) next(Object.assign(new Error('no such user'), { status: 404 }))
  else response.json({ ...user, visits: ++user.visits })
})
app.use('/users', router)
app.get('/page/:name', (request, response) => {
  if (request.params.name < 3) response.sendFile(path.join(process.cwd(), 'package.json'))
  else response.send(`"${'page '.repeat(100)}"`)
})
app.get('/end', (_request, response) => {
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: served }))
  response.end()
  server.close()
  server.closeAllConnections()
})
// oxlint-disable-next-line no-unused-vars
app.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ error: error.message }))
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))
