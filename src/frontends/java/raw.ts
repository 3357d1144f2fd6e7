/**
 * The file of one thread as the agent in a Java program writes it (docs/java-format.md): records of 32 bytes, read in pieces, one at hand at a time. A file
 * that ends anywhere is read up to its last whole record.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { Walk } from '../threads/order.ts'
import type { AtHand } from '../threads/output.ts'
import { KIND } from './kinds.ts'

const HEAD_BYTES = 64
export const RECORD_BYTES = 32
const WORDS = RECORD_BYTES / 4
const MAGIC = 'HDJAVA01'

export interface RawHead {
  readonly id: number
  readonly name: string
}

/** The head of a file, or undefined where it has none. */
export function readHead(path: string): RawHead | undefined {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const fd = openSync(path, 'r')
  try {
    if (readSync(fd, bytes, 0, HEAD_BYTES, 0) < HEAD_BYTES) return undefined
  } finally {
    closeSync(fd)
  }
  const name = bytes.toString('latin1', 16).replace(/\0.*$/s, '')
  if (bytes.toString('latin1', 0, 8) !== MAGIC || !/^(main|thread (deep )?[\d.]+)$/.test(name)) return undefined
  return { id: bytes.readUInt32LE(8), name }
}

/** A walk over the records of one file. The record at hand is at word `at` of `words`. */
export class JavaThread implements Walk, AtHand {
  readonly words: Uint32Array
  private readonly bytes: Uint8Array
  at = -WORDS
  kind = 0
  /** Number of the step at hand, from 1. */
  step = 0
  /** Does not fall, whatever the file says. */
  stamp = 0
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
    this.kind = this.step = this.stamp = this.filled = 0
    this.at = -WORDS
    this.offset = HEAD_BYTES
    this.atEnd = false
  }

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
      // The end of a piece may be empty.
      if (words[at] === 0) continue
      this.kind = words[at]! & 0xff
      const step = words[at + 1]!
      if (step > this.step) this.step = step
      const stamp = words[at + 6]! + words[at + 7]! * 2 ** 32
      if (stamp > this.stamp) this.stamp = stamp
      return true
    }
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

  /** A small value. */
  get value(): number {
    return this.words[this.at + 4]! + this.words[this.at + 5]! * 2 ** 32
  }

  /** Where the words of what an update wrote are, or -1. */
  get updatedAt(): number {
    const next = this.at + WORDS
    return next + WORDS <= this.filled && (this.words[next]! & 0xff) === KIND.UPDATED ? next + 4 : -1
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
