/** A folder that no other user can have written to: for caches that are loaded into programs, and for the commands that the user has allowed. */
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { makeFolder } from './make-folder.ts'

const OTHERS_MAY_WRITE = 0o002
const GROUP_MAY_WRITE = 0o020
const STICKY = 0o1000

/** `$XDG_CACHE_HOME` and the like, or what stands for it in the home folder; undefined where there is no home. */
export function userFolder(variable: string, ...usual: readonly string[]): string | undefined {
  const given = process.env[variable] ?? ''
  if (isAbsolute(given)) return given
  try {
    const home = homedir()
    return isAbsolute(home) ? join(home, ...usual) : undefined
  } catch {
    return undefined // this user has none
  }
}

/** Makes it where it is missing. Undefined where that cannot be done, or where somebody else could write there. */
export function privateFolder(path: string): string | undefined {
  try {
    makeFolder(path, 0o700)
    return isPrivate(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** It is a folder of this user that nobody else can write to, and nobody else can put another one in its place. */
export function isPrivate(path: string): boolean {
  const own = process.getuid?.()
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return false
  if (own === undefined) return true // there are no owners here
  if (stat.uid !== own || (stat.mode & (OTHERS_MAY_WRITE | GROUP_MAY_WRITE)) !== 0) return false
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if (!isKept(lstatSync(at), own)) return false
    if (at === dirname(at)) return true
  }
}

/** Others cannot exchange what is in it. A group of which the user is the owner is his own affair. */
const isKept = ({ uid, mode }: Stats, own: number): boolean =>
  (uid === own || uid === 0) &&
  ((mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0) &&
  (uid === own || (mode & GROUP_MAY_WRITE) === 0 || (mode & STICKY) !== 0)
