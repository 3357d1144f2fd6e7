// Each opens its own.
import { opendir } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
// flags: --timers latency

const walk = async (ms) => {
  await after(ms)
  const directory = await opendir('.')
  await directory.read()
  await directory.close()
}
await Promise.all([walk(5), walk(40)]) // ok
