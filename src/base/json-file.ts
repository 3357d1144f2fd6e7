/**
 * Small files, written completely or not at all: first under a new name in the same folder, then renamed. A link at the destination is replaced,
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
