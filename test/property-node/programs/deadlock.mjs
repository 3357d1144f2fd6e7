// Two flows take two locks, each the other way round.
import { readFile } from 'node:fs/promises'

class Mutex {
  held = false
  waiting = []
  async lock() {
    while (this.held) await new Promise((resolve) => this.waiting.push(resolve))
    this.held = true
  }
  unlock() {
    this.held = false
    this.waiting.shift()?.()
  }
}
const pause = () => readFile(import.meta.filename)
const [a, b] = [new Mutex(), new Mutex()]

async function flow(waits, first, second) {
  for (let i = 0; i < waits; i++) await pause()
  await first.lock()
  await pause()
  await second.lock()
  second.unlock()
  first.unlock()
}
await Promise.all([flow(1, a, b), flow(10, b, a)])
