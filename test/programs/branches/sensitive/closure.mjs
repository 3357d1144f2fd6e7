/** A counter inside a closure; the branch is in another function of the same closure. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

function makeCounter() {
  let count = 0
  return {
    add(n) {
      count += n
    },
    isFull() {
      if (count >= 3) return true // sensitive: benign
      return false
    },
  }
}

const counter = makeCounter()
const other = makeCounter()

async function fill() {
  await access(new URL(import.meta.url))
  counter.add(2)
  counter.add(1)
}

async function ask() {
  await sleep(80)
  return counter.isFull()
}

async function askOther() {
  await sleep(80)
  return other.isFull()
}

await Promise.all([fill(), ask(), askOther()])
console.log('asked')
