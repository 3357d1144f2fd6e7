/** A cache of promises with an expiry: refreshed twice or once, with the same answer. */
// flags: --timers latency
import { setTimeout as sleep } from 'node:timers/promises'

const cache = { value: undefined, loads: 0 }

async function get() {
  if (cache.value === undefined) await load() // sensitive: benign
  return cache.value
}

async function load() {
  cache.loads++
  await sleep(10)
  cache.value = 'answer'
}

async function late() {
  await sleep(30)
  return get()
}

const answers = await Promise.all([get(), late()])
console.log(answers.join(' '))
