/** The real path of a file, or the path it would have if it were written: links on the way are followed, also dangling ones. */
import { orNothing } from './or-nothing.ts'
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

const MOST_LINKS = 40

export function realPlace(path: string): string {
  let at = resolve(path)
  let rest = ''
  for (let links = 0; links < MOST_LINKS;) {
    try {
      return join(realpathSync(at), rest)
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      if (isLink(at)) {
        links++
        at = resolve(dirname(at), readlinkSync(at))
      } else {
        rest = join(basename(at), rest)
        at = dirname(at)
      }
    }
  }
  throw Object.assign(new Error(`ELOOP: too many links: ${path}`), { code: 'ELOOP' })
}

/** Is it in the folder by its name? */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, resolve(path))
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Is it really in the folder? Not where that cannot be said. */
export const isInside = (path: string, folder: string): boolean => orNothing(() => isBelow(realPlace(path), realPlace(folder))) ?? false

const isLink = (path: string): boolean => orNothing(() => lstatSync(path).isSymbolicLink()) ?? false
