// Two readers of one descriptor; the one that is usually last closes it.
import { close, open, read } from 'node:fs'
import { fileURLToPath } from 'node:url'
// flags: --timers latency --max-findings 1 --confirm 1

const part = (fd, then) => read(fd, Buffer.alloc(8), 0, 8, 0, then) // expect DescriptorUsedAfterClose
open(fileURLToPath(import.meta.url), 'r', (error, fd) => {
  if (error) throw error
  setTimeout(() => part(fd, () => {}), 5)
  setTimeout(() => part(fd, () => close(fd, () => {})), 40)
})
