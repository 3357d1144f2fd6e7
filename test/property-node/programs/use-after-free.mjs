// Seed 001, Figure 2 (b): an object of a pool is given back while another flow still uses it.
import { readFile } from 'node:fs/promises'

class Pool {
  alloc() {
    return new Buffer_()
  }
  free(_buffer) {}
}
class Buffer_ {
  use() {}
}
const pause = () => readFile(import.meta.filename)
const pool = new Pool()
const buffer = pool.alloc()

async function user() {
  await pause()
  buffer.use()
}
async function owner() {
  for (let i = 0; i < 8; i++) await pause()
  pool.free(buffer)
}
await Promise.all([user(), owner()])
