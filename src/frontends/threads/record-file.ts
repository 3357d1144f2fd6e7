/**
 * The file of one thread as a runtime writes it: a header, then records of 32 bytes, read in pieces. A truncated file is read up to its last whole
 * record. The front end knows the meaning of a record.
 */
import { closeSync, openSync, readSync } from 'node:fs'

export const HEAD_BYTES = 64
export const RECORD_BYTES = 32
export const WORDS = RECORD_BYTES / 4

/** The head of a file; undefined where there is less, as when the program ended while it was made. */
export function headOf(path: string): Buffer | undefined {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const fd = openSync(path, 'r')
  try {
    return readSync(fd, bytes, 0, HEAD_BYTES, 0) < HEAD_BYTES ? undefined : bytes
  } finally {
    closeSync(fd)
  }
}

/** The record at hand is at word `at` of `words`. */
export class RecordFile {
  readonly words: Uint32Array
  at = -WORDS
  /** Does not fall, whatever the file says. */
  stamp = 0
  private readonly bytes: Uint8Array
  private filled = 0
  protected offset = HEAD_BYTES
  private atEnd = false

  /** `capacity`: records that are in memory at one time. */
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
    this.stamp = this.filled = 0
    this.at = -WORDS
    this.offset = HEAD_BYTES
    this.atEnd = false
  }

  /** Goes to the next place of a record; false behind the last one. */
  protected nextRecord(): boolean {
    this.at += WORDS
    // The record after the one at hand is looked at, too.
    if (this.at + 2 * WORDS > this.filled && !this.atEnd) this.fill()
    return this.at + WORDS <= this.filled
  }

  protected takeStamp(): void {
    const stamp = this.words[this.at + 6]! + this.words[this.at + 7]! * 2 ** 32
    if (stamp > this.stamp) this.stamp = stamp
  }

  /** The value of the record as a number; exact below 2^53. */
  get value(): number {
    return this.words[this.at + 4]! + this.words[this.at + 5]! * 2 ** 32
  }

  /** Where the record after the one at hand begins, or -1. */
  protected get following(): number {
    const next = this.at + WORDS
    return next + WORDS <= this.filled ? next : -1
  }

  private fill(): void {
    const rest = Math.max(this.filled - this.at, 0)
    this.words.copyWithin(0, this.at, this.filled)
    this.at = 0
    this.filled = rest
    const fd = openSync(this.path, 'r')
    try {
      while (this.filled < this.words.length) {
        const got = this.readRecords(fd, this.filled)
        if (got === 0) break
        this.filled += got / 4
      }
      this.atEnd = this.filled < this.words.length
    } finally {
      closeSync(fd)
    }
  }

  /** Whole records into `words` from `from` on: how many bytes; 0 behind the last one. */
  protected readRecords(fd: number, from: number, end = Infinity): number {
    const room = Math.min(this.bytes.length - from * 4, end - this.offset)
    let got = 0
    while (got < room) {
      const n = readSync(fd, this.bytes, from * 4 + got, room - got, this.offset + got)
      if (n === 0) break
      got += n
    }
    const whole = got - (got % RECORD_BYTES)
    this.offset += whole
    return whole
  }
}
