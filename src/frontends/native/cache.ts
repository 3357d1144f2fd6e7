/**
 * Where what is built once is kept: ~/.cache/heddle/native, or a temporary folder of this user where that cannot be written. What lies there is
 * loaded into programs, so a folder that somebody else owns is not used.
 */
import { accessSync, constants, mkdtempSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'

/** The loader parts the list of what it preloads at these, and knows no quotes. */
const PARTED = /[\s:;$]/

let own: string | undefined

export function cacheFolder(): string {
  const { XDG_CACHE_HOME: given = '' } = process.env
  const base = isAbsolute(given) ? given : join(homedir(), '.cache')
  const usual = join(base, 'heddle', 'native')
  if (usable(usual)) return usual
  const shared = join(tmpdir(), `heddle-native-${process.getuid?.() ?? 0}`)
  if (usable(shared)) return shared
  own ??= mkdtempSync(join(tmpdir(), 'heddle-native-'))
  return own
}

function usable(folder: string): boolean {
  if (PARTED.test(folder)) return false
  try {
    makeFolder(folder, 0o700)
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { uid, mode } = statSync(folder)
    const writtenByOthers = (mode & 0o022) !== 0
    return (process.getuid === undefined || uid === process.getuid()) && !writtenByOthers
  } catch {
    return false
  }
}
