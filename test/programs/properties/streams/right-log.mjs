// The log is ended by whoever is last.
import { PassThrough } from 'node:stream'
// flags: --timers latency

const log = new PassThrough()
log.resume()
let left = 2
const done = (text) => {
  log.write(text)
  if (--left === 0) log.end()
}
setTimeout(() => done('second job\n'), 5)
setTimeout(() => done('main job\n'), 40) // ok
