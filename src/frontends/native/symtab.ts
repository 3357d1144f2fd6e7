/**
 * Variables of a program: the symbol table of an ELF file, as far as it names data. Files are untrusted: whatever does not fit gives no
 * symbols.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const SYMTAB = 2
const DYNSYM = 11
const OBJECT = 1
const ENTRY = 24
/** No program has symbols of more bytes. */
const MOST_BYTES = 256 * 2 ** 20

export class DataSymbols {
  private constructor(
    private readonly start: Float64Array,
    private readonly size: Float64Array,
    private readonly name: Uint32Array,
    private readonly strings: Buffer,
  ) {}

  static of(path: string): DataSymbols | undefined {
    let fd: number
    try {
      fd = openSync(path, 'r')
    } catch {
      return undefined
    }
    try {
      return readSymbols(fd, (start, size, name, strings) => new DataSymbols(start, size, name, strings))
    } catch {
      return undefined
    } finally {
      closeSync(fd)
    }
  }

  /** The variable that holds this place of the file's numbering. */
  at(place: number): { name: string; offset: number } | undefined {
    let lo = 0
    let hi = this.start.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.start[mid]! <= place) lo = mid + 1
      else hi = mid
    }
    const i = lo - 1
    if (i < 0 || place >= this.start[i]! + this.size[i]!) return undefined
    const from = this.name[i]!
    const to = this.strings.indexOf(0, from)
    return { name: this.strings.toString('utf8', from, to < 0 ? this.strings.length : to), offset: place - this.start[i]! }
  }
}

type Make = (start: Float64Array, size: Float64Array, name: Uint32Array, strings: Buffer) => DataSymbols

function readSymbols(fd: number, make: Make): DataSymbols | undefined {
  const { size: fileSize } = fstatSync(fd)
  const part = (from: number, length: number): Buffer => {
    if (from < 0 || length < 0 || length > MOST_BYTES || from + length > fileSize) throw new RangeError('outside of the file')
    const bytes = Buffer.alloc(length)
    if (readSync(fd, bytes, 0, length, from) !== length) throw new RangeError('short')
    return bytes
  }
  const head = part(0, 64)
  // 64 bits, little-endian.
  if (head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2 || head[5] !== 1) return undefined
  const sections = part(Number(head.readBigUInt64LE(40)), head.readUInt16LE(58) * head.readUInt16LE(60))
  const entry = head.readUInt16LE(58)
  const count = entry >= 64 ? head.readUInt16LE(60) : 0
  const find = (kind: number): number => {
    for (let i = 0; i < count; i++) if (sections.readUInt32LE(i * entry + 4) === kind) return i * entry
    return -1
  }
  const table = find(SYMTAB) >= 0 ? find(SYMTAB) : find(DYNSYM)
  if (table < 0) return undefined
  const bytesOf = (section: number): Buffer =>
    part(Number(sections.readBigUInt64LE(section + 24)), Number(sections.readBigUInt64LE(section + 32)))
  const symbols = bytesOf(table)
  const link = sections.readUInt32LE(table + 40)
  if (link >= count) return undefined
  const strings = bytesOf(link * entry)
  const found: { start: number; size: number; name: number }[] = []
  for (let at = 0; at + ENTRY <= symbols.length; at += ENTRY) {
    const size = Number(symbols.readBigUInt64LE(at + 16))
    const isDefined = symbols.readUInt16LE(at + 6) !== 0
    if ((symbols[at + 4]! & 15) === OBJECT && size > 0 && isDefined)
      found.push({ start: Number(symbols.readBigUInt64LE(at + 8)), size, name: symbols.readUInt32LE(at) })
  }
  found.sort((a, b) => a.start - b.start || b.size - a.size)
  return make(
    Float64Array.from(found, (s) => s.start),
    Float64Array.from(found, (s) => s.size),
    Uint32Array.from(found, (s) => s.name),
    strings,
  )
}
