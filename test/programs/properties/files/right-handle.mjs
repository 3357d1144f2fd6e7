// Who closes waits for who reads.
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setTimeout as after } from 'node:timers/promises'
// flags: --timers latency

const handle = await open(fileURLToPath(import.meta.url))
const reader = async (ms) => {
  await after(ms)
  await handle.stat()
}
await Promise.all([reader(5), reader(20)])
await handle.close() // ok
