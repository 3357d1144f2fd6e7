/** Values reach the branch through patterns: of an object, with a default, of an array, of a parameter. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const box = { size: 1, label: 'a', sides: [1, 2] }
let seen = 0

async function grow() {
  await access(new URL(import.meta.url))
  box.size = 9
  box.sides[1] = 8
  box.colour = 'red'
}

async function byObject() {
  await sleep(80)
  const { size, label } = box
  if (label === 'a') seen++ // not sensitive
  if (size > 3) seen += 0 // sensitive: benign
}

async function byDefault() {
  await sleep(80)
  const { colour = 'grey' } = box
  if (colour === 'grey') seen += 0 // sensitive: benign
}

async function byArray() {
  await sleep(80)
  const [width, height] = box.sides
  if (width === 1) seen++ // not sensitive
  if (height === 8) seen += 0 // sensitive: benign
}

async function byParameter() {
  await sleep(80)
  isLarge(box)
}

function isLarge({ size }) {
  return size > 5 ? 'large' : 'small' // sensitive: benign
}

await Promise.all([grow(), byObject(), byDefault(), byArray(), byParameter()])
console.log(`${seen} seen`)
