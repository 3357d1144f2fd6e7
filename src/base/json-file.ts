/** Small files, written whole or not at all. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Undefined when it is not there or not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Whole or not at all. */
export function writeJson(path: string, value: unknown): void {
  writePieces(path, [`${JSON.stringify(value, null, 2)}\n`])
}

/** The same for text that comes piece by piece. */
export function writePieces(path: string, pieces: Iterable<string>): void {
  const beside = `${path}.${process.pid}.tmp`
  try {
    const fd = openSync(beside, 'w')
    try {
      for (const piece of pieces) writeFileSync(fd, piece)
    } finally {
      closeSync(fd)
    }
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
