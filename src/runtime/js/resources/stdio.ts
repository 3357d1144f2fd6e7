/**
 * Standard output and error, where they are pipes, are written at once. Node writes at once what the kernel takes, and the rest later, in a turn of its own: whether there is such a turn depends on
 * how fast somebody else reads. It waits for the reader instead, as it does on Windows, and as files and terminals do everywhere.
 */
import { fstatSync } from 'node:fs'

interface Output {
  readonly _handle?: { setBlocking?(blocks: boolean): number } | null
}

export function writeAtOnce(): void {
  // A getter makes the stream: where it is none of these Node is left to do so when it is asked for.
  if (isPipe(1)) (process.stdout as Output)._handle?.setBlocking?.(true)
  if (isPipe(2)) (process.stderr as Output)._handle?.setBlocking?.(true)
}

function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}
