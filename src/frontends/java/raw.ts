/** The file of one thread as the agent in a Java program writes it (docs/java-format.md), one record at a time. */
import type { Walk } from '../threads/order.ts'
import type { AtHand } from '../threads/output.ts'
import { HEAD_BYTES, headOf, RecordFile } from '../threads/record-file.ts'
import { KIND } from './kinds.ts'
import { ShortRecords } from './short-records.ts'

/** Of the first version: records follow the head, and nothing else. */
const FIRST = 'HDJAVA01'
const MAGIC = 'HDJAVA02'
const NAME = 16
const STATE = 56
/** Sizes of the pieces, and by what those of a virtual thread are smaller. */
const PIECES = [256 * 1024, 2 ** 21, 2 ** 21]
const SMALL = 16

export interface RawHead {
  readonly id: number
  readonly name: string
}

/** The head of a file, or undefined where it has none, or is something else. */
export function readHead(path: string): RawHead | undefined {
  const bytes = headOf(path)
  const magic = bytes?.toString('latin1', 0, 8)
  if (!bytes || (magic !== MAGIC && magic !== FIRST)) return undefined
  const name = bytes.toString('latin1', NAME, magic === FIRST ? HEAD_BYTES : STATE).replace(/\0.*$/s, '')
  return /^(main|thread (deep )?[\d.]+)$/.test(name) ? { id: bytes.readUInt32LE(8), name } : undefined
}

interface Parts {
  /** The piece that was written to last. */
  readonly begin: number
  readonly end: number
  /** What was in pieces that were full. */
  readonly short?: ShortRecords
}

/** Where records are in a file, in their order: first those that were made short. */
function partsOf(path: string): Parts {
  const bytes = headOf(path)
  if (bytes?.toString('latin1', 0, 8) !== MAGIC) return { begin: HEAD_BYTES, end: Infinity }
  const state = bytes[STATE]!
  const sizes = PIECES.map((size) => ((state & 1) === 1 ? size / SMALL : size))
  const piece = Math.min(state >> 1, sizes.length - 1)
  const begin = sizes.slice(0, piece).reduce((sum, size) => sum + size, HEAD_BYTES)
  const behind = sizes.reduce((sum, size) => sum + size, HEAD_BYTES)
  const length = bytes.readUInt32LE(STATE + 1) + bytes.readUIntLE(STATE + 5, 3) * 2 ** 32
  return { begin, end: begin + sizes[piece]!, ...(length > 0 && { short: new ShortRecords(behind, behind + length) }) }
}

/** A walk over the records of one file. */
export class JavaThread extends RecordFile implements Walk, AtHand {
  kind = 0
  /** Number of the step at hand, from 1. */
  step = 0

  private parts: Parts | undefined

  override rewind(): void {
    super.rewind()
    this.kind = this.step = 0
    this.parts = undefined
  }

  protected override readRecords(fd: number, from: number): number {
    if (!this.parts) {
      this.parts = partsOf(this.path)
      this.offset = this.parts.begin
    }
    const got = this.parts.short?.read(fd, this.words, from, this.words.length) ?? 0
    return got > 0 ? got : super.readRecords(fd, from, this.parts.end)
  }

  advance(): boolean {
    while (this.nextRecord()) {
      const word = this.words[this.at]!
      // The end of a piece may be empty.
      if (word === 0) continue
      this.kind = word & 0xff
      const step = this.words[this.at + 1]!
      if (step > this.step) this.step = step
      this.takeStamp()
      return true
    }
    this.kind = 0
    return false
  }

  /** The number of its place. */
  get pc(): number {
    return this.words[this.at]! >>> 8
  }

  get object(): number {
    return this.words[this.at + 2]!
  }

  get field(): number {
    return this.words[this.at + 3]!
  }

  /** Where the words of the value are. */
  get valueAt(): number {
    return this.at + 4
  }

  /** Where the words of what an update wrote are, or -1. */
  get updatedAt(): number {
    const next = this.following
    return next >= 0 && (this.words[next]! & 0xff) === KIND.UPDATED ? next + 4 : -1
  }
}
