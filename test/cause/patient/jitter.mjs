/** Two clients take one seat in turns; who finds it taken waits for a while that grows, with jitter, eight times at most. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'

let taken = false
let used = 0
async function client(seed) {
  for (let tries = 0; tries < 8; tries++) {
    if (!taken) {
      taken = true
      await turn()
      used++
      await sleep(5)
      taken = false
      return
    }
    await sleep(8 * 2 ** tries + seed)
  }
  throw new Error('no seat')
}
await Promise.all([client(1), client(3)])
if (used !== 2) throw new Error('used otherwise')
console.log('two used it')
