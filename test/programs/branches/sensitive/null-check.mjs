/**
 * TAME, figure 2 (Apache Derby): a query looks whether the columns are there, waits, and uses them. Meanwhile somebody drops the table. If that
 * happens between the check and the use, there is nothing to use.
 */
// expects: atomicity, order-violation at columns
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = new URL(import.meta.url)
const table = { columns: new Set(['id', 'name']) }

async function select(name) {
  await access(FILE)
  if (table.columns === null) return false // sensitive: benign
  // bug
  await access(FILE)
  return table.columns.has(name) // sensitive: harmful
}

async function drop() {
  await sleep(80)
  table.columns = null // bug
}

await Promise.all([select('id'), drop()])
console.log('asked')
