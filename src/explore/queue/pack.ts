/**
 * Files of a folder with a description, as one object: a line of JSON with names and sizes, then the bytes, all deflated. Unpacking treats it as
 * untrusted: names stay inside the folder, links are refused, and sizes are limited.
 */
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { makeFolder } from '../../base/make-folder.ts'
import { Fault, fields, fitting, list, take, whole, type Shape } from '../../base/schema.ts'

const MAGIC = 'heddle pack 1\n'
/** Of all files together, as they are on disk. */
export const MOST_BYTES = 1 << 28
const MOST_FILES = 10_000
const MOST_SAID = 4 << 20
const MOST_DEPTH = 8
/** With all its folders. */
const MOST_OF_A_NAME = 500

/** Plain names, parted by slashes: no dots alone, no way out. */
const NAME = /^(?!\.{1,2}(?:\/|$))[^/\\\0]{1,255}(?:\/(?!\.{1,2}(?:\/|$))[^/\\\0]{1,255}){0,7}$/
const FILES: Shape = list(
  fields({ name: fitting(NAME, 'the name of a file below the folder', 2048), size: whole(0, MOST_BYTES) }),
  MOST_FILES,
)

interface Head {
  readonly said: unknown
  readonly files: readonly { readonly name: string; readonly size: number }[]
}

export class BadPack extends Error {}

/** `leaveOut`: of names in the folder itself. */
export async function packed(folder: string, said: unknown, leaveOut: (name: string) => boolean = () => false): Promise<Buffer> {
  const names = filesIn(folder, '', MOST_DEPTH).filter((name) => !leaveOut(name.split('/')[0]!))
  return packedFiles(
    names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
    said,
  )
}

export async function packedFiles(files: Unpacked['files'], said: unknown): Promise<Buffer> {
  const head: Head = { said, files: files.map(({ name, bytes }) => ({ name, size: bytes.length })) }
  const all = Buffer.concat([Buffer.from(`${MAGIC}${JSON.stringify(head)}\n`), ...files.map(({ bytes }) => bytes)])
  return promisify(deflateRaw)(all, { level: 1 })
}

function filesIn(folder: string, at: string, depth: number): string[] {
  return readdirSync(join(folder, at)).flatMap((name) => {
    const path = at === '' ? name : `${at}/${name}`
    const stat = lstatSync(join(folder, path))
    if (stat.isDirectory()) return depth > 1 ? filesIn(folder, path, depth - 1) : []
    return stat.isFile() && NAME.test(path) ? [path] : []
  })
}

export interface Unpacked {
  readonly said: unknown
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
}

export async function unpacked(bytes: Uint8Array): Promise<Unpacked> {
  let all: Buffer
  try {
    all = await promisify(inflateRaw)(bytes, { maxOutputLength: MOST_BYTES + MOST_SAID })
  } catch {
    throw new BadPack('it cannot be inflated')
  }
  if (all.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new BadPack('it is no pack')
  const end = all.indexOf(10, MAGIC.length)
  if (end < 0 || end > MOST_SAID) throw new BadPack('its head has no end')
  const { said, files } = headIn(all.toString('utf8', MAGIC.length, end))
  if (files.reduce((sum, { size }) => sum + size, 0) !== all.length - end - 1) throw new BadPack('its files are not whole')
  if (!areNames(files.map(({ name }) => name))) throw new BadPack('it has a file twice, or names that no folder can have')
  let at = end + 1
  return { said, files: files.map(({ name, size }) => ({ name, bytes: all.subarray(at, (at += size)) })) }
}

/** Each once, none of them the folder of another one, and none longer than a file system takes. */
function areNames(names: readonly string[]): boolean {
  const all = new Set(names)
  const folders = new Set(names.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))))
  const isShort = (name: string): boolean =>
    name.length <= MOST_OF_A_NAME && name.split('/').every((part) => Buffer.byteLength(part) <= 255)
  return all.size === names.length && names.every((name) => !folders.has(name) && isShort(name))
}

function headIn(json: string): Head {
  let head: unknown
  try {
    head = JSON.parse(json)
  } catch {
    throw new BadPack('its head is not JSON')
  }
  const { said, files } = (typeof head === 'object' && head !== null ? head : {}) as { said?: unknown; files?: unknown }
  const taken = take<Head['files']>(files, FILES)
  if (taken instanceof Fault) throw new BadPack(taken.text)
  return { said, files: taken }
}

/** The folder was made for this alone. What is there is replaced. */
export function writeFiles(folder: string, { files }: Unpacked): void {
  for (const { name, bytes } of files) {
    const path = join(folder, name)
    makeFolder(dirname(path))
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, bytes, { flag: 'wx' })
  }
}
