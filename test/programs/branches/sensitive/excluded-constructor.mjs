/**
 * TAME, figure 5: a field is computed by code that nobody looks into. It is taken as it was; the other operand decides.
 */
// flags: --exclude **/_budget.mjs
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Budget } from './_budget.mjs'

let spent = 0
let granted = 0

async function spend() {
  await access(new URL(import.meta.url))
  spent = 5
}

async function ask() {
  await sleep(80)
  const budget = new Budget(3)
  if (budget.left - spent > 0) granted++ // not sensitive: 6 or 1
  if (budget.left - spent > 3) grant() // sensitive: benign
}

function grant() {
  spent = 6
}

await Promise.all([spend(), ask()])
console.log(`granted ${granted}`)
