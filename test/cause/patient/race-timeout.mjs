/** A read that is given up after two seconds. */
import { readFile } from 'node:fs/promises'

function within(ms, promise) {
  let timer
  const timeOut = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms)
  })
  return Promise.race([promise, timeOut]).finally(() => clearTimeout(timer))
}
const own = new URL(import.meta.url)
const texts = await Promise.all([within(2000, readFile(own, 'utf8')), within(2000, readFile(own, 'utf8'))])
if (texts[0] !== texts[1]) throw new Error('two texts')
console.log('read')
