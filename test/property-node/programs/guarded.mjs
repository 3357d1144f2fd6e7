// A flag keeps the two apart in a way that is not seen: who reads last closes.
import { open, readFile } from 'node:fs/promises'

const file = await open(import.meta.filename)
const pause = () => readFile(import.meta.filename)
let done = false

async function reader() {
  await pause()
  await file.read(Buffer.alloc(10), 0, 10, 0)
  done = true
}
async function closer() {
  do for (let i = 0; i < 8; i++) await pause()
  while (!done)
  await file.close()
}
await Promise.all([reader(), closer()])
