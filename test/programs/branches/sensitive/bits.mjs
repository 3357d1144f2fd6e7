/** Bit operators work on 32 bits. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let flags = 0b0010
let big = 2 ** 32
let steps = 0

async function open() {
  await access(new URL(import.meta.url))
  flags |= 0b0100
  big = 2 ** 33
}

async function low() {
  await sleep(80)
  if (flags & 0b0010) steps++ // not sensitive
  if ((big | 0) === 0) steps++ // not sensitive: both are 0 in their low 32 bits
  if ((flags >>> 2) & 1) flags ^= 0b1000 // sensitive: benign
}

async function high() {
  await sleep(80)
  if (big > 2 ** 32) flags ^= 0b10000 // sensitive: benign
}

await Promise.all([open(), low(), high()])
console.log(`${steps} steps`)
