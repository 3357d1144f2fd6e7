/** A pool of one connection. Who waits longer than 800 ms for it is refused. */
import { readFile } from 'node:fs/promises'

let busy = false
const waiting = []
function acquire() {
  if (!busy) return Promise.resolve(void (busy = true))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(new Error('no connection within 800 ms'))
    }, 800)
    const entry = () => {
      clearTimeout(timer)
      resolve()
    }
    waiting.push(entry)
  })
}
function release() {
  const next = waiting.shift()
  if (next) next()
  else busy = false
}
async function query() {
  await acquire()
  try {
    return (await readFile(new URL(import.meta.url), 'utf8')).length
  } finally {
    release()
  }
}
const sizes = await Promise.all([query(), query(), query()])
if (new Set(sizes).size !== 1) throw new Error('sizes differ')
console.log('three queries')
