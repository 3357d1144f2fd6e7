/**
 * Errors of the system that are nobody's mistake: a full disk, too many open files, a folder without write permission. One sentence each, with a
 * remedy.
 */
import { HeddleError, quote } from '../errors.ts'

const FACTS: Readonly<Record<string, readonly [fact: string, remedy: string]>> = {
  ENOSPC: ['The disk is full', 'Make room there, or run Heddle in a folder on another disk'],
  EDQUOT: ['Your share of the disk is used up', 'Make room there, or run Heddle in a folder on another disk'],
  EFBIG: ['A file would become larger than is allowed', 'Raise the limit (`ulimit -f`), or record a shorter run with --record-time'],
  EMFILE: ['Too many files are open in this process', 'Raise the limit (`ulimit -n 1024`)'],
  ENFILE: ['Too many files are open on this machine', 'End other programs, or raise the limit of the system'],
  EROFS: ['The file system can only be read', 'Run Heddle in a folder that can be written'],
  EACCES: ['Permission is denied', 'Check the permissions there'],
  EPERM: ['The system does not permit it', 'Check the owner and the permissions there'],
  ENOTDIR: ['Something on the path is not a folder', 'Check the path'],
  EISDIR: ['It is a folder', 'Check the path'],
  ELOOP: ['Too many links lead on to each other', 'Check the path'],
  ENAMETOOLONG: ['The path is too long', 'Run Heddle in a folder with a shorter path'],
  EIO: ['The disk does not answer as it should', 'Check the disk'],
  EAGAIN: ['The system has no processes or threads left', 'End other programs, or raise the limit (`ulimit -u`)'],
  ENOMEM: ['The system has no memory left', 'End other programs, or record a shorter run with --record-time'],
}

/** Undefined where the system did not refuse anything that is known here. */
export function refusedBySystem(error: unknown): HeddleError | undefined {
  const { code = '', syscall, path } = (error ?? {}) as NodeJS.ErrnoException
  const known = FACTS[code]
  if (!known || syscall === undefined) return undefined
  const [fact, remedy] = known
  const place = typeof path === 'string' ? `: ${syscall} of ${quote(path)}` : `: ${syscall}`
  return new HeddleError('refused-by-system', `${fact} (${code}${place})`, remedy)
}
