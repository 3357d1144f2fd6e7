/** The reader waits for the writer, by await, by a promise of its own, and by being posted by it. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

let settings
let open = false
let told = false
let count = 0
let tell

const telling = new Promise((resolve) => {
  tell = resolve
})

async function load() {
  await access(new URL(import.meta.url))
  settings = { size: 3 }
}

async function use() {
  await load()
  if (settings === undefined) throw new Error('never')
  count += settings.size > 2 ? 1 : 0
}

async function speak() {
  await sleep(20)
  told = true
  tell()
}

async function listen() {
  await telling
  if (!told) throw new Error('never')
  count++
}

const posted = new Promise((resolve) => {
  setTimeout(() => {
    open = true
    setImmediate(() => {
      if (open) count++
      resolve()
    })
  }, 10)
})

await Promise.all([use(), speak(), listen(), posted])
console.log(`${count} of 3`)
