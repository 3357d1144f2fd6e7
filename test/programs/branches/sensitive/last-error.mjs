/** Which class the last error has: instanceof on a shared variable. */
// flags: --timers latency
import { setTimeout as sleep } from 'node:timers/promises'

let lastError = new TypeError('first')
let retries = 0

async function fail() {
  await sleep(10)
  lastError = new RangeError('second')
}

async function retry() {
  await sleep(30)
  if (lastError instanceof Error) retries++ // not sensitive
  if (lastError instanceof RangeError) wait() // sensitive: benign
}

function wait() {
  lastError = undefined
}

await Promise.all([fail(), retry()])
console.log(`${retries} retries`)
