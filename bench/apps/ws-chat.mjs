/** A chat by web sockets: whoever says something is heard by all. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket, WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0 })
await once(server, 'listening')
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    for (const client of server.clients) client.send(String(data))
  })
})
const clients = Array.from({ length: 4 }, () => new WebSocket(`ws://127.0.0.1:${server.address().port}`))
await Promise.all(clients.map((client) => once(client, 'open')))
const heard = clients.map(() => new Set())
const all = clients.map(
  (client, i) =>
    new Promise((resolve) => {
      client.on('message', (data) => {
        heard[i].add(String(data))
        if (heard[i].size === 4) resolve()
      })
    }),
)
clients.forEach((client, i) => client.send(`hello from ${i}`))
await Promise.all(all)
for (const one of heard) assert.equal(one.size, 4)
for (const client of clients) client.close()
await Promise.all(clients.map((client) => once(client, 'close')))
server.close()
await once(server, 'close')
console.log('heard:', heard.length)
