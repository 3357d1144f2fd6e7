// A stream is destroyed before anybody reads it: what is waited for never comes.
import { Readable } from 'node:stream'
// flags: --timers latency --property library:ReadAfterDestroy --max-findings 1 --confirm 1

const source = Readable.from(['a', 'b'])
let heard = false
source.on('end', () => (heard = true))
process.on('exit', () => {
  if (!heard) process.exitCode = 1
})
setTimeout(() => source.resume(), 5) // expect ReadAfterDestroy
setTimeout(() => source.destroy(), 80)
