// Seed 001, Figure 1: one flow reads from a file, another closes it. The recorded run has read when the other closes.
import { open, readFile } from 'node:fs/promises'

const file = await open(import.meta.filename)
const pause = () => readFile(import.meta.filename)

async function reader() {
  await pause()
  await file.read(Buffer.alloc(10), 0, 10, 0).catch(() => {})
}
async function closer() {
  for (let i = 0; i < 8; i++) await pause()
  await file.close()
}
await Promise.all([reader(), closer()])
