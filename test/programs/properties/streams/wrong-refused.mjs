// A log of the program's own that is ended when the job is done. What is written later is lost.
import { Writable } from 'node:stream'
// flags: --timers latency --max-findings 1 --confirm 1

class Log extends Writable {
  lines = 0
  _write(_chunk, _encoding, done) {
    this.lines++
    done()
  }
}
const log = new Log()
setTimeout(() => log.write('news'), 5) // expect StreamWriteRefused
setTimeout(() => log.end(), 40)
process.on('exit', () => {
  if (log.lines !== 1) process.exitCode = 1
})
