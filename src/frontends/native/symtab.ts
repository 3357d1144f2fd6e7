/** Variables and functions of a program: the symbol table of an ELF file. Files are untrusted: invalid entries give no symbols. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const SYMTAB = 2
const DYNSYM = 11
const OBJECT = 1
const FUNCTION = 2
const WEAK = 2
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
    const table = symbolsOf(path, OBJECT)
    if (!table) return undefined
    const { found, strings } = table
    return new DataSymbols(
      Float64Array.from(found, (s) => s.start),
      Float64Array.from(found, (s) => s.size),
      Uint32Array.from(found, (s) => s.name),
      strings,
    )
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
    return { name: nameAt(this.strings, this.name[i]!), offset: place - this.start[i]! }
  }
}

/** A symbol of the file, as far as it is defined there and has a size. */
interface FoundSymbol {
  readonly start: number
  readonly size: number
  /** Where its name begins in `strings`. */
  readonly name: number
  /** Several files may have it: inline functions and templates. */
  readonly isWeak: boolean
}

interface SymbolTable {
  readonly found: readonly FoundSymbol[]
  readonly strings: Buffer
}

/** What cannot be read has none. */
function symbolsOf(path: string, kind: number): SymbolTable | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return readSymbols(fd, kind)
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}

const nameAt = (strings: Buffer, from: number): string => {
  const to = strings.indexOf(0, from)
  return strings.toString('utf8', from, to < 0 ? strings.length : to)
}

/** Its functions, in the file's own numbering. */
export function functionsOf(
  path: string,
): { readonly start: number; readonly size: number; readonly name: string; readonly isWeak: boolean }[] {
  const table = symbolsOf(path, FUNCTION)
  return table?.found.map(({ start, size, name, isWeak }) => ({ start, size, isWeak, name: nameAt(table.strings, name) })) ?? []
}

function readSymbols(fd: number, kind: number): SymbolTable | undefined {
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
  const find = (type: number): number => {
    for (let i = 0; i < count; i++) if (sections.readUInt32LE(i * entry + 4) === type) return i * entry
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
  const found: FoundSymbol[] = []
  for (let at = 0; at + ENTRY <= symbols.length; at += ENTRY) {
    const size = Number(symbols.readBigUInt64LE(at + 16))
    const isDefined = symbols.readUInt16LE(at + 6) !== 0
    if ((symbols[at + 4]! & 15) === kind && size > 0 && isDefined)
      found.push({
        start: Number(symbols.readBigUInt64LE(at + 8)),
        size,
        name: symbols.readUInt32LE(at),
        isWeak: symbols[at + 4]! >> 4 === WEAK,
      })
  }
  found.sort((a, b) => a.start - b.start || b.size - a.size)
  return { found, strings }
}
