/** The task decides on a copy that it made before it waited; and on an object that nobody else has. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const shared = { limit: 3, names: ['a', 'b'] }
let checks = 0

async function change() {
  await access(new URL(import.meta.url))
  shared.limit = 100
  shared.names = []
}

async function work(names) {
  const { limit } = shared
  const own = { done: 0 }
  for (const name of names) {
    await sleep(10)
    if (name.length > 0) own.done++
    if (own.done < limit) checks++
  }
  if (names.length === 2) checks++
}

await Promise.all([work(shared.names), change()])
console.log(`${checks} checks`)
