/** Arithmetic over several variables: the branch goes the other way only if both writers are late. */
import { access, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = new URL(import.meta.url)
let a = 1
let b = 1
const c = { value: 1 }
let warnings = 0

async function first() {
  await access(FILE)
  a = 4
}

async function second() {
  await stat(FILE)
  b = 7
}

async function look() {
  await sleep(80)
  if (2 * a + b - c.value > 20) warnings++ // not sensitive: 14 at most
  if (2 * a + b - c.value <= 7) warnings++ // sensitive: harmful
}

await Promise.all([first(), second(), look()])
console.log(`${warnings} warnings`)
