/**
 * Source positions for addresses of a file: from addr2line or llvm-symbolizer, many at once. The answers are cached on disk, by the file's path, size
 * and time: reading debug information is slow, and a check runs the same program many times.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import { count, Fault, list, row, take, text } from '../../base/schema.ts'
import { cacheFolder } from './cache.ts'

/** What is not known is the empty string, or 0. */
export interface Frame {
  readonly name: string
  readonly file: string
  readonly line: number
}

const TOOLS: readonly (readonly string[])[] = [
  ['addr2line', '-a', '-f', '-i', '-C'],
  ['llvm-symbolizer', '--output-style=GNU', '-a', '-f', '-i', '-C'],
]
const TIMEOUT = 120_000
const MOST_KEPT = 200_000
const VERSION = 3

/** For each address its frames, innermost first; none where nothing is known. */
export function framesOf(path: string, addresses: readonly number[]): Map<number, readonly Frame[]> {
  const file = cacheFile(path)
  const known = file === undefined ? new Map<number, readonly Frame[]>() : readKept(file)
  const missing = addresses.filter((address) => !known.has(address))
  if (missing.length > 0) {
    const said = ask(path, missing)
    for (const address of missing) known.set(address, said?.get(address) ?? [])
    if (file !== undefined && said) keep(file, known)
  }
  return known
}

function ask(path: string, addresses: readonly number[]): Map<number, readonly Frame[]> | undefined {
  const input = addresses.map((address) => `0x${address.toString(16)}\n`).join('')
  for (const [tool, ...flags] of TOOLS) {
    const { status, stdout } = spawnSync(tool!, [...flags, '-e', path], {
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      timeout: TIMEOUT,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    if (status === 0) return parse(stdout)
  }
  return undefined
}

/** `0x…` begins an address; then a line with the function and one with file and line for every frame. */
export function parse(text: string): Map<number, readonly Frame[]> {
  const found = new Map<number, readonly Frame[]>()
  let frames: Frame[] = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    if (/^0x[0-9a-f]+$/.test(line)) {
      withoutOuterName(frames)
      found.set(Number(line), (frames = []))
    } else if (line !== '') {
      const [, file, number] = /^(.*):(\d+|\?)(?: \(discriminator \d+\))?$/.exec(lines[++i] ?? '') ?? []
      const name = line === '??' ? '' : line
      // Without debug information there may be a file all the same, from the symbol table, but no line.
      const lineNumber = Number(number) || 0
      const known = file === undefined || file === '??' || lineNumber === 0 ? '' : file
      if (name !== '' || known !== '') frames.push({ name, file: known, line: lineNumber })
    }
  }
  withoutOuterName(frames)
  return found
}

/**
 * Of an inlined C++ function addr2line gives the name of the function it was inlined into, which is also the last one's. Then the name is not
 * known.
 */
function withoutOuterName(frames: Frame[]): void {
  const [first] = frames
  if (first && frames.length > 1 && bareName(first.name) === bareName(frames.at(-1)!.name)) frames[0] = { ...first, name: '' }
}

/** Without where it is declared. */
const bareName = (name: string): string => qualifiedName(name).split('::').at(-1)!

/** Without what it returns, what it is a template of, and its parameters. */
export function qualifiedName(name: string): string {
  let bare = name
  for (let before = ''; before !== bare;) {
    before = bare
    bare = bare.replace(/<[^<>]*>/g, '')
  }
  return bare.replace(/\(.*/, '').trim().split(' ').at(-1)!
}

function cacheFile(path: string): string | undefined {
  try {
    const { size, mtimeMs, ino } = statSync(path)
    const key = createHash('sha256').update(`${VERSION} ${path} ${size} ${mtimeMs} ${ino}`).digest('hex').slice(0, 32)
    const folder = join(cacheFolder(), 'symbols')
    makeFolder(folder, 0o700)
    return join(folder, `${key}.json`)
  } catch {
    return undefined
  }
}

type Kept = [number, [string, string, number][]][]
const KEPT = list(row(count, list(row(text(), text(), count))))

function readKept(file: string): Map<number, readonly Frame[]> {
  try {
    const kept = take<Kept>(JSON.parse(readFileSync(file, 'utf8')), KEPT)
    if (kept instanceof Fault) return new Map()
    return new Map(kept.map(([address, frames]) => [address, frames.map(([name, source, line]) => ({ name, file: source, line }))]))
  } catch {
    return new Map()
  }
}

function keep(file: string, known: ReadonlyMap<number, readonly Frame[]>): void {
  if (known.size > MOST_KEPT) return
  const kept: Kept = [...known].map(([address, frames]) => [address, frames.map((f) => [f.name, f.file, f.line])])
  try {
    const fresh = `${file}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(kept), { mode: 0o600 })
    renameSync(fresh, file)
  } catch {
    // It is only slower without.
  }
}
