/** A string made of two shared variables: only one of the orders of three tasks gives an administrator. */
// flags: --timers latency
import { setTimeout as sleep } from 'node:timers/promises'

let user = 'bob'
let role = 'admin'
let forbidden = 0

async function change() {
  await sleep(10)
  user = 'ada'
}

async function demote() {
  await sleep(20)
  role = 'guest'
}

async function look() {
  await sleep(30)
  if (`${user}:${role}` === 'ada:admin') forbidden++ // sensitive: harmful
}

await Promise.all([change(), demote(), look()])
console.log(`${forbidden} forbidden looks`)
