/** Every operator that decides, each in a task of its own. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const shared = { config: null, level: 0 }
let answers = 0

async function load() {
  await access(new URL(import.meta.url))
  shared.level = 2
  shared.config = { limit: 1 }
}

async function optional() {
  await sleep(80)
  const limit = shared.config?.limit // sensitive: benign
  answers += typeof limit === 'string' ? 0 : 1
}

async function nullish() {
  await sleep(80)
  const config = shared.config ?? { limit: 1 } // sensitive: benign
  answers += config.limit
}

async function and() {
  await sleep(80)
  const both = shared.level && 1 // sensitive: benign
  answers += both === 7 ? 0 : 1
}

async function or() {
  await sleep(80)
  const either = shared.level || 3 // sensitive: benign
  answers += either > 0 ? 1 : 0
}

async function ternary() {
  await sleep(80)
  answers += shared.level > 1 ? 1 : same() // sensitive: benign
}

async function assign() {
  await sleep(80)
  shared.config ??= { limit: 1 } // sensitive: benign
  answers += 1
}

function same() {
  return 1
}

await Promise.all([load(), optional(), nullish(), and(), or(), ternary(), assign()])
console.log(`${answers} answers`)
