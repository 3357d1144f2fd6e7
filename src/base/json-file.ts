/**
 * Small files, written whole or not at all: beside their place, under a name that was not there before, and then put there. A link at the place is replaced,
 * never followed.
 */
import { randomBytes } from 'node:crypto'
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
export const writeJson = (path: string, value: unknown): void => writePieces(path, [`${JSON.stringify(value, null, 2)}\n`])

/** The same for text that comes piece by piece. */
export function writePieces(path: string, pieces: Iterable<string>, mode = 0o666): void {
  const beside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  const fd = openSync(beside, 'wx', mode)
  try {
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
