/**
 * As hot-key.cjs, with the stock in PostgreSQL (PGHOST and the like): each request reads an article and takes of it in a transaction. With `redis` as argument the price is looked up in Redis
 * (REDIS_URL) before, and sales are counted there after it. The load is hot-key-load.js.
 */
const load = (name) => require(require.resolve(name, { paths: [process.cwd()] }))
const express = load('express')
const { Pool } = load('pg')

const app = express()
const pool = new Pool({ max: 8 })
const redis = process.argv[2] === 'redis' ? new (load('ioredis').Redis)(process.env.REDIS_URL) : undefined
let served = 0
let cpu

app.post('/buy/:name', express.json(), async (request, response) => {
  await redis?.get(`price:${request.params.name}`)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select remaining from stock where name = $1 for update', [request.params.name])
    await client.query('update stock set remaining = remaining - $2 where name = $1', [request.params.name, request.body.count])
    await client.query('commit')
    await redis?.incr(`sold:${request.params.name}`)
    served++
    response.json({ left: rows[0].remaining })
  } finally {
    client.release()
  }
})
app.get('/begin', (_request, response) => {
  served = 0
  cpu = process.cpuUsage()
  response.end()
})
app.get('/end', async (_request, response) => {
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ cpu: (user + system) / 1000, work: served }))
  response.end()
  server.close()
  server.closeAllConnections()
  await pool.end()
  await redis?.quit()
})
const server = app.listen(0, '127.0.0.1', async () => {
  await pool.query('drop table if exists stock; create table stock (name text primary key, remaining int)')
  await pool.query("insert into stock values ('lamp', 1000000000)")
  console.log(server.address().port)
})
