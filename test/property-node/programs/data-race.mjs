// Seed 003, Figure 6: a field is read and written by two flows, and nothing says who comes first.
import { readFile } from 'node:fs/promises'

const shared = new (class Shared {
  s = 0
})()
const pause = () => readFile(import.meta.filename)
let seen
async function reader() {
  await pause()
  seen = shared.s
}
async function writer() {
  for (let i = 0; i < 6; i++) await pause()
  shared.s = 1
}
await Promise.all([reader(), writer()])
export { seen }
