/** Is a key there? By `in`, by `delete`, by a Map, by a property that is undefined. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const session = { token: 't', user: 'u' }
const cache = new Map([['a', 1]])
let asked = 0

async function logout() {
  await access(new URL(import.meta.url))
  delete session.token
  cache.delete('a')
}

async function byIn() {
  await sleep(80)
  if ('user' in session) asked++ // not sensitive
  if ('token' in session) refresh() // sensitive: benign
}

async function byValue() {
  await sleep(80)
  if (session.token !== undefined) refresh() // sensitive: benign
}

async function byMap() {
  await sleep(80)
  if (cache.has('b')) asked++ // not sensitive
  if (cache.has('a')) refresh() // sensitive: benign
}

async function bySize() {
  await sleep(80)
  if (cache.size === 0) refresh() // sensitive: benign
}

function refresh() {
  session.refreshed = true
}

await Promise.all([logout(), byIn(), byValue(), byMap(), bySize()])
console.log(`asked ${asked}`)
