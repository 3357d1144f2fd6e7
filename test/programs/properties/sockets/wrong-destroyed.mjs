// A time-out destroys a connection on which the answer is still to be written.
import { connect, createServer } from 'node:net'
// flags: --timers latency --max-findings 1 --confirm 1

let text = ''
const server = createServer((socket) => {
  setTimeout(() => socket.write('answer'), 5) // expect StreamWriteRefused
  setTimeout(() => socket.destroy(), 60)
  server.close()
})
server.listen(0, () => connect(server.address().port).on('data', (data) => (text += data)))
process.on('exit', () => {
  if (text !== 'answer') process.exitCode = 1
})
