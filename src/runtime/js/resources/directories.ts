/**
 * `opendir` gives the entries of a directory sorted by name, as `readdir` does. Otherwise their order is that of the file system, which differs where
 * a replay has a copy of the files. Node reads a number of entries at once (32, unless the program says otherwise); those are sorted. Heddle's own
 * folder is hidden from the program.
 */
import fs from 'node:fs'
import { resolve } from 'node:path'
import { replaceMethod } from './stand-in.ts'

export function sortDirectories(): void {
  replaceMethod(
    fs.Dir.prototype,
    'processReadResult',
    (original) =>
      function (this: unknown, path: unknown, entries: unknown) {
        if (Array.isArray(entries)) byName(entries)
        return original.call(this, path, entries) as unknown
      },
  )
}

/** Heddle's own folder, in which there is more in each replay: a program that walks through its project does not come across it. Before file operations are wrapped. */
export function hideOwnFolder(root: string): void {
  const isRoot = (path: unknown): boolean => typeof path === 'string' && resolve(path) === root
  replaceMethod(
    fs,
    'readdir',
    (original) =>
      function (this: unknown, ...args: unknown[]) {
        const callback = args.at(-1)
        if (typeof callback === 'function' && isRoot(args[0]))
          args[args.length - 1] = function (this: unknown, error: unknown, names: unknown): unknown {
            return Reflect.apply(callback, this, error ? [error] : [error, withoutOwn(names)])
          }
        return original.apply(this, args) as unknown
      },
  )
  replaceMethod(
    fs,
    'readdirSync',
    (original) =>
      function (this: unknown, ...args: unknown[]) {
        const names = original.apply(this, args) as unknown
        return isRoot(args[0]) ? withoutOwn(names) : names
      },
  )
  replaceMethod(
    fs.promises,
    'readdir',
    (original) =>
      async function (this: unknown, ...args: unknown[]) {
        const names = (await original.apply(this, args)) as unknown
        return isRoot(args[0]) ? withoutOwn(names) : names
      },
  )
  replaceMethod(
    fs.Dir.prototype,
    'processReadResult',
    (original) =>
      function (this: unknown, path: unknown, entries: unknown) {
        if (Array.isArray(entries) && isRoot(path))
          for (let i = entries.length - 2; i >= 0; i -= 2) if (isOwn(entries[i])) entries.splice(i, 2)
        return original.call(this, path, entries) as unknown
      },
  )
}

const OWN = '.heddle'
const isOwn = (name: unknown): boolean => String(name) === OWN

/** Names, or entries with a name. With `recursive` names are paths, and entries say in which folder they are. */
function withoutOwn(names: unknown): unknown {
  if (!Array.isArray(names)) return names
  return names.filter((one: unknown) => {
    if (typeof one === 'string') return one !== OWN && !one.startsWith(`${OWN}/`)
    if (Buffer.isBuffer(one)) return !isOwn(one)
    const { name, parentPath, path = parentPath } = one as { name: unknown; parentPath?: string; path?: string }
    return !isOwn(name) && !path?.split('/').includes(OWN)
  })
}

/** Name, kind, name, kind … */
function byName(entries: unknown[]): void {
  const pairs: [Buffer, unknown, unknown][] = []
  for (let i = 0; i < entries.length; i += 2) {
    const name = entries[i] as string | Buffer
    pairs.push([typeof name === 'string' ? Buffer.from(name) : name, name, entries[i + 1]])
  }
  pairs.sort(([a], [b]) => Buffer.compare(a, b))
  for (const [i, [, name, kind]] of pairs.entries()) [entries[2 * i], entries[2 * i + 1]] = [name, kind]
}
