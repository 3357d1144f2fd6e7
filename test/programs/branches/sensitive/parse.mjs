/** A built-in function throws: JSON.parse of a text that is not there yet. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let text = ''

async function load() {
  await readFile(new URL(import.meta.url))
  text = '{"size":3}'
}

async function show() {
  await sleep(80)
  return JSON.parse(text) // sensitive: harmful
}

const [, settings] = await Promise.all([load(), show()])
console.log(`size ${settings.size}`)
