// The same, and nobody counts on the end.
import { Readable } from 'node:stream'
// flags: --timers latency --property library:ReadAfterDestroy

const source = Readable.from(['a', 'b'])
setTimeout(() => source.resume(), 5)
setTimeout(() => source.destroy(), 80) // ok
