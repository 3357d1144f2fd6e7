// The columns of a table are dropped while another call still lists them. It passes every time.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const table = { columns: new Map().set('id', 'number').set('name', 'text') }
const slowly = () => readFile(new URL(import.meta.url))

async function list() {
  await slowly()
  if (table.columns === null) return 'no columns'
  await slowly()
  return [...table.columns.keys()].join(', ')
}

async function forget() {
  await sleep(300)
  table.columns = null
}

const [listed] = await Promise.all([list(), forget()])
console.log(listed)
