/** Two calls of an asynchronous function; the answers come as bytes in shared memory. */
import { createWorker } from 'await-sync'

const upper = createWorker()(async (text) => new TextEncoder().encode(text.toUpperCase()))
const decoder = new TextDecoder()
for (const text of ['one', 'two']) {
  const answer = decoder.decode(upper(text))
  if (answer !== text.toUpperCase()) throw new Error(`${text} became ${JSON.stringify(answer)}`)
}
console.log('both in capitals')
process.exit(0)
