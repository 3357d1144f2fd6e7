/** Strings are compared letter by letter, and put together before. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let version = '1.10'
let checks = 0
let migrated = false

async function update() {
  await access(new URL(import.meta.url))
  version = '1.9'
}

async function isOld() {
  await sleep(80)
  if (version < '2') checks++ // not sensitive
  if (version < '1.2') migrate() // sensitive: benign
}

async function isNamed() {
  await sleep(80)
  const name = 'v' + version
  if (name.startsWith('v1')) checks++ // not sensitive
  if (name === 'v1.9') migrate() // sensitive: benign
}

function migrate() {
  migrated = true
}

await Promise.all([update(), isOld(), isNamed()])
console.log(`${checks} checks`, typeof migrated)
