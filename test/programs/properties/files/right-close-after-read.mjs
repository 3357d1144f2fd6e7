// The same, and the descriptor is closed when the read has ended.
import { close, open, read } from 'node:fs'
import { fileURLToPath } from 'node:url'

open(fileURLToPath(import.meta.url), 'r', (error, fd) => {
  if (error) throw error
  const done = () => close(fd, () => {})
  setTimeout(() => read(fd, Buffer.alloc(16), 0, 16, 0, done), 5)
}) // expect nothing
