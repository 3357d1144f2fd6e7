/** An express server whose requests all buy the same article. `/begin` starts the clock after a warm-up, `/end` says what was used and ends. The load is hot-key-load.js. */
const express = require(require.resolve('express', { paths: [process.cwd()] }))

const app = express()
const stock = new Map([['lamp', { left: 1e9, sold: 0 }]])
let served = 0
let start = 0
let cpu

app.post('/buy/:name', express.json(), async (request, response) => {
  const article = stock.get(request.params.name)
  if (article.left < request.body.count) return response.status(409).end()
  await new Promise(setImmediate)
  article.left -= request.body.count
  article.sold += request.body.count
  served++
  response.json({ left: article.left })
})
app.get('/begin', (_request, response) => {
  served = 0
  start = performance.now()
  cpu = process.cpuUsage()
  response.end()
})
app.get('/end', (_request, response) => {
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: served }))
  response.end()
  server.close()
  server.closeAllConnections()
})
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))
