import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket, WebSocketServer } from 'ws'

describe('ws', () => {
  let server
  let url
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0 })
    await once(server, 'listening')
    url = `ws://127.0.0.1:${server.address().port}`
  })
  afterEach((done) => {
    for (const client of server.clients) client.terminate()
    server.close(done)
  })
  it('echoes', async () => {
    server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
    const client = new WebSocket(url)
    await once(client, 'open')
    client.send('one')
    client.send('two')
    const heard = []
    await new Promise((resolve) => client.on('message', (data) => heard.push(String(data)) === 2 && resolve()))
    assert.deepEqual(heard, ['one', 'two'])
  })
  it('pings', async () => {
    const client = new WebSocket(url)
    await once(client, 'open')
    client.ping('x')
    const [data] = await once(client, 'pong')
    assert.equal(String(data), 'x')
  })
  it('closes with a code', async () => {
    server.on('connection', (socket) => socket.close(4001, 'go'))
    const client = new WebSocket(url)
    const [code, reason] = await once(client, 'close')
    assert.deepEqual([code, String(reason)], [4001, 'go'])
  })
  it('sends large messages in parts', async () => {
    const size = 300_000
    server.on('connection', (socket) => socket.send(Buffer.alloc(size)))
    const client = new WebSocket(url)
    const [data] = await once(client, 'message')
    assert.equal(data.length, size)
  })
})
