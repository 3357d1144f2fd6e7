/**
 * `.heddle` and `__schedules__`: Heddle's folders inside a user's project. They may come with a checkout and contain links, so
 * - no link is followed: each folder on the way is checked, and a file is opened without following a link;
 * - files are written under another name and renamed (base/json-file.ts), so that a link is replaced and not followed;
 * - a folder is removed only if it has the mark that Heddle put there.
 * All code that writes or deletes in these folders uses this file.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePieces } from '../base/json-file.ts'
import { isALink, notWhatItShouldBe, tooLarge } from './errors.ts'

const MARK = '.heddle-made'
const MARK_TEXT = 'Made by heddle, and removed by it.\n'
/** More than a text of Node holds would be. */
const LARGEST_FILE = 400 << 20

/** The longest that file systems take, in bytes. */
const LONGEST_NAME = 255

/** One part of a path: it leads nowhere else. */
export const isPlainName = (name: string): boolean =>
  /^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..' && Buffer.byteLength(name) <= LONGEST_NAME

/** The folder `names` below `root`, which is the user's own and may be a link. Makes what is missing. */
export function ownFolder(root: string, ...names: readonly string[]): string {
  let at = root
  for (const name of names) {
    at = join(at, name)
    if (!isFolder(at)) made(at)
  }
  return at
}

/** The same without making it: undefined where it is not there. */
export function lookFolder(root: string, ...names: readonly string[]): string | undefined {
  let at = root
  for (const name of names) {
    at = join(at, name)
    if (!isFolder(at)) return undefined
  }
  return at
}

/** An error where it is a link. */
function isFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink()) throw isALink(path)
  return stat?.isDirectory() ?? false
}

function made(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    // Somebody else was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error
  }
}

/** The text of a file in such a folder; undefined where there is none. */
export function readOwn(path: string): string | undefined {
  let fd: number
  try {
    // Not to wait for somebody to write into a pipe.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP' || code === 'EMLINK') throw isALink(path)
    if (code === 'ENOENT') return undefined
    throw error
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw notWhatItShouldBe(path, 'a file')
    if (stat.size > LARGEST_FILE) throw tooLarge(path, stat.size, LARGEST_FILE)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** The file as somebody else is to open it: there, a file, no link. */
export function ownFile(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink()) throw isALink(path)
  if (stat && !stat.isFile()) throw notWhatItShouldBe(path, 'a file')
  return stat && path
}

export const writeOwn = (path: string, pieces: Iterable<string>): void => writePieces(path, pieces)

/** A file that is there goes; a link goes, and what it leads to stays. */
export const removeOwnFile = (path: string): void => rmSync(path, { force: true })

/** A new folder with the mark. False where something of that name is there. */
export function newOwnFolder(path: string): boolean {
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  writeOwn(join(path, MARK), [MARK_TEXT])
  return true
}

export function isMarked(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && lstatSync(join(path, MARK)).isFile()
  } catch {
    return false
  }
}

/** Only with the mark. Links in it go, and what they lead to stays. Whether it is gone. */
export function removeOwnFolder(path: string): boolean {
  if (!isMarked(path)) return false
  rmSync(path, { recursive: true, force: true })
  return true
}
