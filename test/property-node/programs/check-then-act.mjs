// Seed 003, Figure 12 (Derby 3786): a cache is asked for a statement, and what it had is removed after a wait; another flow removes it, too.
import { readFile } from 'node:fs/promises'

class StatementCache {
  map = new Map([['s1', 1]])
  findCached(key) {
    return this.map.get(key)
  }
  remove(key) {
    if (!this.map.delete(key)) throw new Error(`${key} is not there`)
  }
}
const cache = new StatementCache()
const pause = () => readFile(import.meta.filename)

async function removeStatement(key, waits) {
  for (let i = 0; i < waits; i++) await pause()
  if (cache.findCached(key) === undefined) return
  await pause()
  cache.remove(key)
}
await Promise.all([removeStatement('s1', 1), removeStatement('s1', 8)])
