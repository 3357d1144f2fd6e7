/** TAME, figure 6: a divisor that may still be 0. The exception is caught, and what comes after it sees the variables of the caller. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let divisor = 0
let reports = 0

async function measure() {
  await access(new URL(import.meta.url))
  divisor = 4
}

function quotient(i) {
  if (i === 0) throw new RangeError('divided by zero') // sensitive: benign
  return 100 / i
}

async function report() {
  await sleep(80)
  let i = 1
  try {
    i = quotient(divisor)
  } catch {
    divisor = 1
  }
  if (i > 0) reports++
}

await Promise.all([measure(), report()])
console.log(`${reports} reports`)
