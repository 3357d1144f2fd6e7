/** A property of null, caught by the program. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const session = { user: null }
let greeted = 0

async function login() {
  await access(new URL(import.meta.url))
  session.user = { name: 'ada' }
}

async function greet() {
  await sleep(80)
  try {
    greeted += session.user.name.length > 0 ? 1 : 0 // sensitive: benign
  } catch {
    greeted += 1
  }
}

await Promise.all([login(), greet()])
console.log(`greeted ${greeted}`)
