/** A member is taken for dead when it has not been heard of for 400 ms; it sends a sign of life every 50 ms. */
import { createServer, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

let last = Date.now()
let dead = false
const server = createServer((socket) => socket.on('data', () => (last = Date.now())))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const watching = setInterval(() => (dead ||= Date.now() - last > 400), 100)
const socket = connect(server.address().port, '127.0.0.1')
const beating = setInterval(() => socket.write('.'), 50)
await sleep(350)
if (dead) throw new Error('the member was taken for dead')
clearInterval(beating)
clearInterval(watching)
socket.destroy()
server.close()
console.log('alive')
