// A log that is closed when its main job is done; another job still writes.
import { PassThrough } from 'node:stream'
// flags: --timers latency --max-findings 1 --confirm 1

const log = new PassThrough()
log.on('error', () => {})
log.resume()
setTimeout(() => log.write('second job\n'), 5) // expect WriteAfterEnd
setTimeout(() => log.end('main job\n'), 40)
