/**
 * The folder of instrumented modules, kept from run to run: ~/.cache/heddle/modules. Without a private folder there is no cache. `HEDDLE_CACHE=off`
 * turns it off. The runtime reads and writes it (src/runtime/js/load/module-cache.ts); this file finds it and keeps it small.
 */
import { lstatSync, readFileSync, realpathSync, rmSync, type Stats } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { namesIn } from '../../base/names-in.ts'
import { orNothing } from '../../base/or-nothing.ts'
import { privateFolder, userFolder } from '../../base/private-folder.ts'
import type { RunConfig } from '../../runtime/js/protocol.ts'

export const CACHE_VARIABLE = 'HEDDLE_CACHE'
export const MOST_BYTES = 256 << 20
const DAY_MS = 86_400_000
const OLD_MS = 30 * DAY_MS

/** A folder, or why there is none. */
export function modulesFolder(cwd: string): { readonly folder: string } | { readonly why: string } {
  if (process.env[CACHE_VARIABLE] === 'off') return { why: `${CACHE_VARIABLE} is off` }
  const base = userFolder('XDG_CACHE_HOME', '.cache')
  if (base === undefined) return { why: 'there is no home folder' }
  const wanted = join(base, 'heddle', 'modules')
  const folder = privateFolder(wanted)
  if (folder === undefined) return { why: `${wanted} cannot be made, or others can write to it` }
  // What a run writes there would look like files of the program.
  if (isBelow(folder, cwd)) return { why: `${wanted} is in the folder of the program` }
  return { folder }
}

const isBelow = (path: string, root: string): boolean => `${realpathSync(path)}${sep}`.startsWith(`${realpathSync(root)}${sep}`)

let known: { readonly cwd: string; readonly cache: RunConfig['cache'] } | undefined

/** For the configuration of a run. `runtime`: the address of the runtime that will use it. */
export function cacheFor(cwd: string, runtime: URL): Pick<RunConfig, 'cache'> {
  if (known?.cwd !== cwd) {
    const found = orNothing(() => modulesFolder(cwd))
    const folder = found && 'folder' in found ? found.folder : undefined
    const version = folder === undefined ? undefined : orNothing(() => versionOf(runtime))
    if (folder !== undefined) orNothing(() => sweep(folder, Date.now()))
    known = { cwd, cache: folder === undefined || version === undefined ? undefined : { folder, version } }
  }
  return known.cache === undefined ? {} : { cache: known.cache }
}

/** Of all the code that decides what an instrumented module looks like. */
function versionOf(runtime: URL): string {
  const instrument = fileURLToPath(new URL('../instrument/', runtime))
  const files = [instrument, join(instrument, 'paths')].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
  const code = files.filter((file) => file.endsWith('.js')).sort()
  const parser = createRequire(runtime).resolve('acorn/package.json')
  return fingerprintOf([...code, parser].map((file) => readFileSync(file, 'utf8')))
}

/** Removes what nobody has used for a month, what a killed program left half written, and the oldest if all of it is too much. */
export function sweep(folder: string, now: number, most = MOST_BYTES): void {
  const entries: { readonly path: string; readonly stat: Stats }[] = []
  for (const name of namesIn(folder)) {
    const match = /^[0-9a-f]{64}(\.\d+-\d+-\d+)?$/.exec(name)
    const path = join(folder, name)
    const stat = match && orNothing(() => lstatSync(path))
    if (!stat) continue
    if (now - stat.mtimeMs > (match[1] === undefined ? OLD_MS : DAY_MS)) rmSync(path, { force: true })
    else entries.push({ path, stat })
  }
  let bytes = entries.reduce((sum, { stat }) => sum + stat.size, 0)
  if (bytes <= most) return
  // Some room is made, so that not every run removes a few.
  for (const { path, stat } of entries.sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs)) {
    if (bytes <= most * 0.75) return
    rmSync(path, { force: true })
    bytes -= stat.size
  }
}
