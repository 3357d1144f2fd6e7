/** Functions that may throw, and do not with any of the texts; objects that may be others, with the same method. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let text = '{"n":1}'
let read = 0

async function rewrite() {
  await access(new URL(import.meta.url))
  text = '{"n":2}'
}

async function parse() {
  await sleep(80)
  const { n } = JSON.parse(text)
  if (n > 0) read++
  if (text.startsWith('{')) read++
}

await Promise.all([rewrite(), parse()])
console.log(`read ${read}`)
