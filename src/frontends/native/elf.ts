/**
 * What an ELF file contains: its machine, how it is linked, what it needs, and which symbols it imports or defines. Only the necessary parts are
 * read, because programs can be large. The file is untrusted: an offset outside of it ends the reading.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface Elf {
  readonly bits: 32 | 64
  readonly littleEndian: boolean
  /** EM_ of elf.h: 62 is x86-64, 183 is aarch64. */
  readonly machine: number
  /** `program` also if it is position independent; `library` is a shared library. */
  readonly type: 'program' | 'library' | 'object' | 'core' | 'unknown'
  readonly pie: boolean
  /** It names no dynamic loader. */
  readonly static: boolean
  readonly needed: readonly string[]
  /** Names of dynamic symbols that other files must have. */
  readonly undefined: ReadonlySet<string>
  /** Names of symbols it has itself, as far as they concern a sanitizer. */
  readonly defined: ReadonlySet<string>
  readonly sections: ReadonlySet<string>
}

const TYPES = ['unknown', 'object', 'program', 'library', 'core'] as const
const PT = { DYNAMIC: 2, INTERP: 3, LOAD: 1 } as const
const DT = { NEEDED: 1, STRTAB: 5, STRSZ: 10, FLAGS_1: 0x6ffffffb } as const
const SHT = { SYMTAB: 2, DYNSYM: 11 } as const
const PIE_FLAG = 0x08000000
const SANITIZER = /^__(t|a|m|l|hwa)san_/
/** More than any linker makes; beyond it the file is broken. */
const MOST = 1 << 28

interface Section {
  readonly name: number
  readonly type: number
  readonly offset: number
  readonly size: number
  readonly link: number
}

/** Undefined when the file does not begin as an ELF file does; throws RangeError when it does and the rest is broken. */
export function readElf(path: string): Elf | undefined {
  const fd = openSync(path, 'r')
  try {
    return new Reader(fd, fstatSync(fd).size).elf()
  } finally {
    closeSync(fd)
  }
}

class Reader {
  private little = true
  private wide = true

  constructor(
    private readonly fd: number,
    private readonly size: number,
  ) {}

  elf(): Elf | undefined {
    if (this.size < 20) return undefined
    const ident = this.bytes(0, 20)
    if (ident.readUInt32BE(0) !== 0x7f454c46) return undefined
    this.wide = ident[4] === 2
    this.little = ident[5] === 1
    const machine = this.little ? ident.readUInt16LE(18) : ident.readUInt16BE(18)
    const type = TYPES[this.little ? ident.readUInt16LE(16) : ident.readUInt16BE(16)] ?? 'unknown'
    const common = { bits: this.wide ? (64 as const) : (32 as const), littleEndian: this.little, machine }
    // Other files are only named to the user.
    if (!this.wide || !this.little) {
      return { ...common, type, pie: false, static: false, needed: [], undefined: new Set(), defined: new Set(), sections: new Set() }
    }
    const head = this.bytes(0, 64)
    const segments = this.table(number(head, 32), head.readUInt16LE(54), head.readUInt16LE(56))
    const dynamic = this.dynamic(segments)
    const interpreted = segments.some((s) => s.readUInt32LE(0) === PT.INTERP)
    const sections = this.table(number(head, 40), head.readUInt16LE(58), head.readUInt16LE(60)).map(sectionOf)
    const names = this.section(sections[head.readUInt16LE(62)])
    const pie = type === 'library' && (interpreted || (dynamic.flags & PIE_FLAG) !== 0)
    return {
      ...common,
      type: pie ? 'program' : type,
      pie,
      static: !interpreted,
      needed: dynamic.needed,
      ...this.symbols(sections),
      sections: new Set(sections.map((s) => text(names, s.name))),
    }
  }

  private dynamic(segments: readonly Buffer[]): { needed: readonly string[]; flags: number } {
    const segment = segments.find((s) => s.readUInt32LE(0) === PT.DYNAMIC)
    if (!segment) return { needed: [], flags: 0 }
    const rows = this.bytes(number(segment, 8), number(segment, 32))
    const needed: number[] = []
    let [strings, length, flags] = [0, 0, 0]
    for (let at = 0; at + 16 <= rows.length; at += 16) {
      const value = number(rows, at + 8)
      const tag = number(rows, at)
      if (tag === 0) break
      if (tag === DT.NEEDED) needed.push(value)
      else if (tag === DT.STRTAB) strings = value
      else if (tag === DT.STRSZ) length = value
      else if (tag === DT.FLAGS_1) flags = value
    }
    // The table of strings is given by its address in memory.
    const home = segments.find((s) => {
      const address = number(s, 16)
      return s.readUInt32LE(0) === PT.LOAD && strings >= address && strings < address + number(s, 32)
    })
    if (!home) return { needed: [], flags }
    const table = this.bytes(strings - number(home, 16) + number(home, 8), length)
    return { needed: needed.map((at) => text(table, at)), flags }
  }

  private symbols(sections: readonly Section[]): Pick<Elf, 'undefined' | 'defined'> {
    const wanted = new Set<string>()
    const has = new Set<string>()
    for (const section of sections) {
      if (section.type !== SHT.DYNSYM && section.type !== SHT.SYMTAB) continue
      const names = this.section(sections[section.link])
      const rows = this.section(section)
      for (let at = 0; at + 24 <= rows.length; at += 24) {
        const name = text(names, rows.readUInt32LE(at))
        if (rows.readUInt16LE(at + 6) !== 0) {
          if (SANITIZER.test(name)) has.add(name)
        } else if (section.type === SHT.DYNSYM && name !== '') wanted.add(name)
      }
    }
    return { undefined: wanted, defined: has }
  }

  private table(offset: number, each: number, count: number): Buffer[] {
    if (offset === 0 || count === 0) return []
    const all = this.bytes(offset, each * count)
    return Array.from({ length: count }, (_, i) => all.subarray(i * each, (i + 1) * each))
  }

  private section(section: Section | undefined): Buffer {
    return section && section.offset > 0 && section.type !== 8 ? this.bytes(section.offset, section.size) : Buffer.alloc(0)
  }

  private bytes(offset: number, length: number): Buffer {
    if (length > MOST || offset + length > this.size) throw new RangeError('outside of the file')
    const buffer = Buffer.alloc(length)
    for (let done = 0; done < length;) {
      const count = readSync(this.fd, buffer, done, length - done, offset + done)
      if (count === 0) throw new RangeError('shorter than it says')
      done += count
    }
    return buffer
  }
}

const sectionOf = (row: Buffer): Section => ({
  name: row.readUInt32LE(0),
  type: row.readUInt32LE(4),
  offset: number(row, 24),
  size: number(row, 32),
  link: row.readUInt32LE(40),
})

/** Addresses beyond 2^53 are in no program; such a number leads outside of the file. */
const number = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at))

function text(strings: Buffer, at: number): string {
  if (at >= strings.length) return ''
  const end = strings.indexOf(0, at)
  return strings.toString('latin1', at, end < 0 ? strings.length : end)
}
