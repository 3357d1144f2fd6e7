import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { Pool, request } from 'undici'

let server
let url
before(async () => {
  server = createServer((req, res) =>
    setTimeout(() => res.end(`${req.method} ${req.url}`), Number(new URL(req.url, 'http://a').searchParams.get('ms') ?? 0)),
  )
  server.listen(0)
  await once(server, 'listening')
  url = `http://127.0.0.1:${server.address().port}`
})
after(() => {
  server.close()
  server.closeAllConnections()
})

test('a pool', async () => {
  const pool = new Pool(url, { connections: 2 })
  const bodies = await Promise.all(
    [1, 2, 3, 4].map(async (n) => (await pool.request({ path: `/${n}?ms=${5 * n}`, method: 'GET' })).body.text()),
  )
  assert.deepEqual(
    bodies,
    [1, 2, 3, 4].map((n) => `GET /${n}?ms=${5 * n}`),
  )
  await pool.close()
})
test('an abort', async () => {
  await assert.rejects(request(`${url}/slow?ms=2000`, { signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' })
})
test('a body', async () => {
  const { body } = await request(`${url}/post`, { method: 'POST', body: 'x'.repeat(50_000) })
  assert.equal(await body.text(), 'POST /post')
})
