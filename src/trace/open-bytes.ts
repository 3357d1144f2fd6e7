/** Opens a trace file, and turns errors of the system into readable ones. */
import { FileBytes } from '../base/file-bytes.ts'
import { traceIsDirectory, traceNotFound, traceUnreadable } from './errors.ts'

export function openBytes(path: string): FileBytes {
  try {
    return new FileBytes(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw traceNotFound(path)
    if (code === 'EISDIR') throw traceIsDirectory(path)
    throw traceUnreadable(path, code === 'EACCES' ? 'permission denied' : message)
  }
}
