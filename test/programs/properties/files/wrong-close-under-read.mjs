// A reader and a janitor share a descriptor: nothing keeps the janitor from closing it while a read is under way (seed 001, Figure 1).
// flags: --max-findings 1 --confirm 1
import { close, open, read } from 'node:fs'
import { fileURLToPath } from 'node:url'

open(fileURLToPath(import.meta.url), 'r', (error, fd) => {
  if (error) throw error
  read(fd, Buffer.alloc(16), 0, 16, 0, () => {})
  setTimeout(() => close(fd, () => {}), 30) // expect DescriptorClosedUnderUse
})
