/** At most two calls in 100 ms: the third waits until the window is over. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const calls = []
async function call() {
  for (;;) {
    const now = Date.now()
    while (calls.length > 0 && now - calls[0] >= 100) calls.shift()
    if (calls.length < 2) break
    await sleep(calls[0] + 100 - now)
  }
  calls.push(Date.now())
  if (calls.length > 2) throw new Error('too many in one window')
  await readFile(new URL(import.meta.url))
}
await Promise.all([call(), call(), call()])
console.log('three calls')
