// Seed 003, Figures 4 and 5: m reads s, waits, and writes s. Two flows call it.
import { readFile } from 'node:fs/promises'

const shared = new (class Shared {
  s = 0
})()
const pause = () => readFile(import.meta.filename)
let last = Promise.resolve()
const synchronized = process.argv[2] === 'synchronized'

async function m() {
  const r1 = shared.s
  await pause()
  shared.s = r1 + 1
}
function call() {
  if (!synchronized) return m()
  return (last = last.then(m))
}
async function flow(waits) {
  for (let i = 0; i < waits; i++) await pause()
  await call()
}
await Promise.all([flow(1), flow(8)])
