/** Counters and queues that are looked at when everybody has finished. */
// flags: --timers latency
import { setTimeout as sleep } from 'node:timers/promises'

const queue = []
let left = 3
let sum = 0

async function task(n) {
  await sleep(10 * n)
  queue.push(n)
  left--
}

await Promise.all([task(1), task(2), task(3)])
if (left !== 0) throw new Error('never')
while (queue.length > 0) sum += queue.shift()
if (sum === 6) console.log('all of them')
