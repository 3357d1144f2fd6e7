/**
 * Makes a folder and its parents, step by step. Node's recursive mkdir never returns if a folder reports a new entry as missing, as /proc does, and
 * handles no signal meanwhile.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A folder that is there stays as it is. `mode`: of those that are made. */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = dirname(path)
    if (code === 'ENOENT' && above !== path && !existsSync(above)) {
      makeFolder(above, mode)
      makeFolder(path, mode)
    } else if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
