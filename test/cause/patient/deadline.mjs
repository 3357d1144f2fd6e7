/** All steps together have 800 ms. */
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const deadline = Date.now() + 800
const within = async (step) => {
  const left = deadline - Date.now()
  if (left <= 0) throw new Error('too late')
  return Promise.race([step, sleep(left, undefined, { ref: false }).then(() => Promise.reject(new Error('too late')))])
}
const file = new URL(import.meta.url)
const { size } = await within(stat(file))
const text = await within(readFile(file))
await within(sleep(20))
if (text.length !== size) throw new Error('another file')
console.log('in time')
