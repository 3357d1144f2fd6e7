/** What counts as true: '' and 0 and NaN and null do not. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const visitor = { name: '', age: 0 }
const log = []

async function ask() {
  await access(new URL(import.meta.url))
  visitor.age = NaN
  visitor.name = 'ada'
}

async function greet() {
  await sleep(80)
  if (visitor.age) log.push('old') // not sensitive: 0 or NaN
  if (!visitor.name) log.push('nobody') // sensitive: harmful
}

await Promise.all([ask(), greet()])
console.log(`said: ${log.join()}`)
