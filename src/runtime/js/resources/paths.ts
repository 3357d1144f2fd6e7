/**
 * What the functions of `fs` do to paths: one row for each function, for its callback, promise and synchronous forms alike. A path is a location
 * `file:/abs/path`; the entries of a directory are `dir:/abs/path`. Paths are made absolute; links are not followed.
 */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { READ, WRITE } from '../../../trace/ops.ts'
import type { Effect } from '../session.ts'
import { read, write } from './operation.ts'

/** Paths of open file descriptors. */
export const openPaths = new Map<number, string>()

type Args = readonly unknown[]
/** What it does when it succeeds, given its arguments and its result. Called before the call for the paths, again after it for the result. */
export type Row = (args: Args, result: unknown) => readonly Effect[]

/** An absolute path, or undefined for what is none (a descriptor without a known path). */
export function pathOf(value: unknown): string | undefined {
  if (typeof value === 'string') return resolve(value)
  if (typeof value === 'number') return openPaths.get(value)
  if (value instanceof URL) return value.protocol === 'file:' ? fileURLToPath(value) : undefined
  if (value instanceof Uint8Array) return resolve(Buffer.from(value).toString())
  // A FileHandle.
  if (typeof value === 'object' && value !== null && 'fd' in value && typeof value.fd === 'number') return openPaths.get(value.fd)
  return undefined
}

const reads = (value: unknown): Effect[] => {
  const path = pathOf(value)
  return path === undefined ? [] : [read(`file:${path}`)]
}
const writes = (value: unknown): Effect[] => {
  const path = pathOf(value)
  return path === undefined ? [] : [write(`file:${path}`)]
}
/** The path comes into being or goes: the directory it is in has other entries. */
const entry = (value: unknown): Effect[] => {
  const path = pathOf(value)
  return path === undefined ? [] : [write(`file:${path}`), write(`dir:${dirname(path)}`)]
}
const entries = (value: unknown): Effect[] => {
  const path = pathOf(value)
  return path === undefined ? [] : [read(`dir:${path}`)]
}

const first: Row = ([path]) => reads(path)
const change: Row = ([path]) => writes(path)
const nothing: Row = () => []

/** Does opening with these flags make the file, or empty it? */
function opensToWrite(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 0o1100) !== 0 // O_CREAT, O_TRUNC
  return typeof flags === 'string' && /[wa]/.test(flags)
}

const flagOf = (options: unknown, usual: string): unknown =>
  typeof options === 'object' && options !== null && 'flag' in options ? (options.flag ?? usual) : usual

const writeWhole =
  (usual: string): Row =>
  ([path, , options]) =>
    typeof path === 'string' || path instanceof URL ? (opensToWrite(flagOf(options, usual)) ? entry(path) : writes(path)) : writes(path)

export const ROWS: Readonly<Record<string, Row>> = {
  access: first,
  exists: first,
  stat: first,
  lstat: first,
  fstat: first,
  statfs: nothing,
  readFile: first,
  readlink: first,
  realpath: first,
  read: first,
  readv: first,
  readdir: ([path]) => entries(path),
  opendir: ([path]) => entries(path),
  open: ([path, flags]) => (opensToWrite(flags) ? entry(path) : reads(path)),
  close: nothing,
  write: change,
  writev: change,
  writeFile: writeWhole('w'),
  appendFile: writeWhole('a'),
  truncate: change,
  ftruncate: change,
  chmod: change,
  lchmod: change,
  fchmod: change,
  chown: change,
  lchown: change,
  fchown: change,
  utimes: change,
  lutimes: change,
  futimes: change,
  sync: nothing,
  datasync: nothing,
  fsync: nothing,
  fdatasync: nothing,
  mkdir: ([path]) => entry(path),
  mkdtemp: (_args, result) => (typeof result === 'string' ? entry(result) : []),
  rmdir: ([path]) => entry(path),
  unlink: ([path]) => entry(path),
  rm: ([path]) => {
    const own = pathOf(path)
    return own === undefined ? [] : [...entry(path), write(`dir:${own}`)]
  },
  rename: ([from, to]) => [...entry(from), ...entry(to)],
  copyFile: ([from, to]) => [...reads(from), ...entry(to)],
  cp: ([from, to]) => [...reads(from), ...entry(to)],
  link: ([from, to]) => [...reads(from), ...entry(to)],
  symlink: ([, path]) => entry(path),
}

/** What it did, now that it is known whether it worked: what failed has only looked. */
export function outcome(effects: readonly Effect[], error: unknown): readonly Effect[] {
  if (!error) return effects
  const seen = new Map<string, Effect>()
  for (const { op, location } of effects) {
    // That a file could not be made says nothing about the other entries of its directory.
    if (op === READ || location.startsWith('file:')) seen.set(location, read(location))
    if (op !== WRITE || (error as { code?: unknown }).code !== 'ENOENT' || !location.startsWith('file:')) continue
    const parent = `file:${dirname(location.slice('file:'.length))}`
    seen.set(parent, read(parent))
  }
  return [...seen.values()]
}
