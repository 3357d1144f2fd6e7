/** Busy loops, to measure on a machine that has other things to do. */
import { spawn } from 'node:child_process'

/** Starts them; the answer ends them. */
export function busy(loops: number): () => void {
  const children = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  return () => children.forEach((child) => child.kill('SIGKILL'))
}
