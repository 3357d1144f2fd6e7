// Seed 001, Figure 2 (c) and pbzip2: one flow destroys a lock that another one still takes. No field of the lock is written by both.
import { readFile } from 'node:fs/promises'

const state = new WeakMap()
class Lock {
  acquire() {}
  release() {}
  destroy() {}
}
const lock = new Lock()
state.set(lock, 1)
const pause = () => readFile(import.meta.filename)

async function worker() {
  await pause()
  lock.acquire()
  await pause()
  lock.release()
}
async function owner() {
  for (let i = 0; i < 10; i++) await pause()
  lock.destroy()
}
await Promise.all([worker(), owner()])
