/** A request that is given up after a second. */
import { createServer } from 'node:http'

const server = createServer((request, response) => setTimeout(() => response.end(`hello ${request.url}`), 20))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const ask = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(1000) })).text()
const answers = await Promise.all([ask('/a'), ask('/b')])
if (answers.join() !== 'hello /a,hello /b') throw new Error(`answered ${answers}`)
server.closeAllConnections()
server.close()
console.log('two answers')
