/** A circuit breaker opens when two calls have taken longer than 300 ms. */
import { readFile } from 'node:fs/promises'

let slow = 0
async function call() {
  if (slow >= 2) throw new Error('the circuit is open')
  const timer = setTimeout(() => slow++, 300)
  try {
    return await readFile(new URL(import.meta.url), 'utf8')
  } finally {
    clearTimeout(timer)
  }
}
const texts = []
for (let i = 0; i < 4; i++) texts.push(await call(), ...(await Promise.all([call(), call()])))
if (texts.length !== 12) throw new Error('a call is missing')
console.log('twelve calls')
