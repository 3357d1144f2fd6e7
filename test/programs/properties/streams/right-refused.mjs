// Who writes looks first.
import { Writable } from 'node:stream'
// flags: --timers latency

class Log extends Writable {
  _write(_chunk, _encoding, done) {
    done()
  }
}
const log = new Log()
setTimeout(() => log.writable && log.write('news'), 5)
setTimeout(() => log.end(), 40) // ok
