/**
 * The cache for what is built once: ~/.cache/heddle/native. Its files are loaded into programs, so a folder that another user could write to or
 * replace is not used. Then this process gets a temporary folder; nothing permanent may refer to that one.
 */
import { lstatSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namesIn } from '../../base/names-in.ts'
import { isPrivate, privateFolder, userFolder } from '../../base/private-folder.ts'
import { orNothing } from '../../base/or-nothing.ts'
import { noPrivateFolder } from './errors.ts'

/** The loader parts the list of what it preloads at these, and knows no quotes. */
const PARTED = /[\s:;$]/
const DAY_MS = 86_400_000
const OLD_MS = 30 * DAY_MS

let own: string | undefined

export const cacheFolder = (): string => lastingFolder() ?? (own ??= temporaryFolder())

/** For what binaries remember; undefined where there is no such folder. */
export function lastingFolder(): string | undefined {
  const usual = usualFolder()
  return usual === undefined || PARTED.test(usual) ? undefined : privateFolder(usual)
}

/** What it would be called. */
export function usualFolder(): string | undefined {
  const base = userFolder('XDG_CACHE_HOME', '.cache')
  return base && join(base, 'heddle', 'native')
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-native-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (PARTED.test(folder) || !isPrivate(folder)) throw noPrivateFolder(folder)
  return folder
}

/** Says that it is used, so that it is not removed. */
export const use = (mark: string): void => void orNothing(() => utimesSync(mark, new Date(), new Date()))

/**
 * Removes what other versions left and nobody has used for a month. `mark`: a file that every folder of a version has. Binaries of a removed version have to be
 * built again before they run without Heddle.
 */
export function removeOld(folder: string, mark: string): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const age = (file: string): number => orNothing(() => Date.now() - lstatSync(file).mtimeMs) ?? 0
    const isOld = (/^[0-9a-f]{16}$/.test(name) && age(join(path, mark)) > OLD_MS) || (/^building-\w{6}$/.test(name) && age(path) > DAY_MS)
    if (isOld) rmSync(path, { recursive: true, force: true })
  }
  const symbols = join(folder, 'symbols')
  for (const name of namesIn(symbols)) {
    const path = join(symbols, name)
    if (/^[0-9a-f]{32}\.json$/.test(name) && Date.now() - lstatSync(path).mtimeMs > OLD_MS) rmSync(path, { force: true })
  }
}
