/** A door with three states. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let door = 'closed'
let visits = 0

async function open() {
  await access(new URL(import.meta.url))
  door = 'open'
}

async function visit() {
  await sleep(80)
  switch (door) {
    case 'locked': // not sensitive
      throw new Error('nobody locks it')
    case 'closed': // sensitive: benign
      visits++
      break
    case 'open':
      visits += 1
      break
  }
}

await Promise.all([open(), visit()])
console.log(`${visits} visits`)
