/** A session ends 600 ms after it was used last; two requests use it one after the other. */
import { readFile } from 'node:fs/promises'

const sessions = new Map()
const touch = (id) => sessions.set(id, Date.now() + 600)
async function request(id, name) {
  const until = sessions.get(id)
  if (until === undefined || Date.now() > until) throw new Error(`${name}: the session has ended`)
  touch(id)
  await readFile(new URL(import.meta.url))
}
touch('s')
await request('s', 'first')
await request('s', 'second')
console.log('two requests')
