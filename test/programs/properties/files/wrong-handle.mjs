// A FileHandle that one flow closes while another still means to read it.
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setTimeout as after } from 'node:timers/promises'
// flags: --timers latency --max-findings 1 --confirm 1

const handle = await open(fileURLToPath(import.meta.url))
const reader = async () => {
  await after(5)
  await handle.stat().catch(() => {}) // expect FileHandleUsedAfterClose
}
const janitor = async () => {
  await after(30)
  await handle.close()
}
await Promise.all([reader(), janitor()])
