/**
 * The file of one thread as the native runtime writes it (docs/native-format.md): records of 32 bytes, read in pieces, one at hand at a time. A file
 * that ends anywhere is read up to its last whole record.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { plain } from '../../base/plain.ts'
import { KIND } from './kinds.ts'

export const HEAD_BYTES = 64
export const RECORD_BYTES = 32
const WORDS = RECORD_BYTES / 4
const MAGIC = 'HDNATIV1'

export interface RawHead {
  readonly id: number
  readonly parent: number
  readonly name: string
}

/** The head of a file, or undefined where it has none: the program ended while it was made, or it is something else. */
export function readHead(path: string): RawHead | undefined {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const fd = openSync(path, 'r')
  try {
    if (readSync(fd, bytes, 0, HEAD_BYTES, 0) < HEAD_BYTES) return undefined
  } finally {
    closeSync(fd)
  }
  if (bytes.toString('latin1', 0, 8) !== MAGIC) return undefined
  const end = bytes.indexOf(0, 16)
  return { id: bytes.readUInt32LE(8), parent: bytes.readUInt32LE(12), name: plain(bytes.toString('utf8', 16, end < 0 ? HEAD_BYTES : end)) }
}

/** A walk over the records of one file. The record at hand is at word `at` of `words`. */
export class RawThread {
  readonly words: Uint32Array
  private readonly bytes: Uint8Array
  at = -WORDS
  kind = 0
  /** Number of the step at hand, from 1. */
  step = 0
  /** Does not fall, whatever the file says. */
  stamp = 0
  /** The stamp of the record before. */
  stampBefore = 0
  records = 0
  /** Steps that have no record. */
  skipped = 0
  private filled = 0
  private offset = HEAD_BYTES
  private atEnd = false

  constructor(
    readonly path: string,
    readonly task: number,
    capacity: number,
  ) {
    const buffer = new ArrayBuffer(capacity * RECORD_BYTES)
    this.words = new Uint32Array(buffer)
    this.bytes = new Uint8Array(buffer)
  }

  rewind(): void {
    this.kind = this.step = this.stamp = this.stampBefore = this.records = this.skipped = this.filled = 0
    this.at = -WORDS
    this.offset = HEAD_BYTES
    this.atEnd = false
  }

  /** Goes to the next step; false where there is none. */
  advance(): boolean {
    const { words } = this
    for (this.at += WORDS; ; this.at += WORDS) {
      // The record after the one at hand is looked at, too: what an update wrote.
      if (this.at + 2 * WORDS > this.filled && !this.atEnd) this.fill()
      const { at } = this
      if (at + WORDS > this.filled) {
        this.kind = 0
        return false
      }
      // The runtime may leave the end of a chunk empty, and go on in the next one.
      if (words[at] === 0 && words[at + 1] === 0) continue
      this.records++
      const kind = words[at]! & 0xff
      if (kind >= KIND.INFO) {
        if (kind !== KIND.SKIP) continue
        const more = words[at + 4]! + words[at + 5]! * 2 ** 32
        this.step += more
        this.skipped += more
        continue
      }
      this.kind = kind
      const left = words[at + 3]! >>> 16
      this.step += left + 1
      this.skipped += left
      this.stampBefore = this.stamp
      const stamp = words[at + 6]! + words[at + 7]! * 2 ** 32
      if (stamp > this.stamp) this.stamp = stamp
      return true
    }
  }

  /** log2 of the size of an access. */
  get log(): number {
    return (this.words[this.at]! >>> 8) & 0xff
  }

  /** The return address of the call. */
  get pc(): number {
    return (this.words[this.at]! >>> 16) + this.words[this.at + 1]! * 2 ** 16
  }

  get object(): number {
    return this.words[this.at + 2]! + (this.words[this.at + 3]! & 0xffff) * 2 ** 32
  }

  get value(): number {
    return this.words[this.at + 4]! + this.words[this.at + 5]! * 2 ** 32
  }

  /** Where the words of what an update wrote are, or -1. */
  get updatedAt(): number {
    const next = this.at + WORDS
    return next + WORDS <= this.filled && (this.words[next]! & 0xff) === KIND.UPDATED ? next + 4 : -1
  }

  /** The value of a write is filled in at the next step: of the last one it may be missing. */
  get isLast(): boolean {
    const next = this.at + WORDS
    return next + WORDS > this.filled || (this.words[next] === 0 && this.words[next + 1] === 0)
  }

  private fill(): void {
    const rest = Math.max(this.filled - this.at, 0)
    this.words.copyWithin(0, this.at, this.filled)
    this.at = 0
    this.filled = rest
    const room = this.bytes.length - rest * 4
    const fd = openSync(this.path, 'r')
    try {
      let got = 0
      while (got < room) {
        const n = readSync(fd, this.bytes, rest * 4 + got, room - got, this.offset + got)
        if (n === 0) break
        got += n
      }
      this.atEnd = got < room
      const whole = got - (got % RECORD_BYTES)
      this.offset += whole
      this.filled += whole / 4
    } finally {
      closeSync(fd)
    }
  }
}
