// A cache evicts what nobody holds. A reader that misses loads the entry and holds it. Fails when the load is late, so that the entry comes while the cache is being swept, and the reader comes back after the sweep.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const cache = { entry: null, sweeping: false, held: 0 }

async function load() {
  await readFile(__filename)
  cache.entry = { size: 1, late: cache.sweeping }
  if (RIGHT) cache.held++
}

async function read() {
  await load()
  if (cache.entry.late) await readFile(__filename)
  if (cache.entry === null) throw new TypeError('the entry was evicted under its reader')
  cache.entry.size++
}

async function sweep() {
  for (let i = 0; i < 16; i++) await stat(__filename)
  cache.sweeping = true
  for (let i = 0; i < 8; i++) await stat(__filename)
  if (cache.held === 0 && cache.entry?.late) cache.entry = null
}

read()
sweep()
