/** Is there space on a disk? Some space is reserved for others: the program and Heddle itself need it to continue. */
import * as fs from 'node:fs'

const LEFT_FREE = 1 << 20

/** As it was before a program could replace it. */
const { statfsSync } = { ...fs }

/** `path`: of a file or folder on that disk. Where the system does not say there is room. */
export function isNearlyFull(path: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(path)
    return blocks > 0 && bavail * bsize < LEFT_FREE
  } catch {
    return false
  }
}
