/**
 * Compressed records, block by block (docs/java-format.md; the writer is Short.java in runtime/java): each is stored as its difference from the
 * record that followed the site of its predecessor the last time. Only a window of the file is in memory. Damage ends the records.
 */
import { readSync } from 'node:fs'
import { RECORD_BYTES, WORDS } from '../threads/record-file.ts'

const SLOTS = 1024
const BLOCK_HEAD = 8
/** More than a record can take. */
const MOST = 64
const WINDOW = 1 << 16
const HIGH = 2 ** 32

export class ShortRecords {
  private readonly place = new Uint32Array(SLOTS)
  /** Of each slot: object, field, and the two words of the value. */
  private readonly rest = new Uint32Array(SLOTS * 4)
  private readonly window = new Uint8Array(WINDOW)
  private at = 0
  private filled = 0
  /** Where the window ends in the file. */
  private offset: number
  /** Records of the block at hand that are left. */
  private left = 0
  private slot = 0
  private step = 0
  private stamp = 0

  /** From `begin` to `end` in the file. */
  constructor(
    begin: number,
    private readonly end: number,
  ) {
    this.offset = begin
  }

  /** Whole records, as the agent writes them, into `words` from `from` on, at most up to `to`: how many bytes; 0 behind the last one. */
  read(fd: number, words: Uint32Array, from: number, to: number): number {
    let at = from
    while (at + WORDS <= to) {
      if (this.filled - this.at < MOST) this.more(fd)
      if ((this.left === 0 && !this.begin()) || this.filled === this.at) return this.stop(at - from)
      this.record(words, at)
      if (this.at > this.filled) return this.stop(at - from)
      this.left--
      at += WORDS
    }
    return ((at - from) / WORDS) * RECORD_BYTES
  }

  /** Nothing is read any more, so that records behind a damaged place do not come after those of the piece at hand. */
  private stop(words: number): number {
    this.at = this.filled = this.left = 0
    this.offset = this.end
    return (words / WORDS) * RECORD_BYTES
  }

  private more(fd: number): void {
    this.window.copyWithin(0, this.at, this.filled)
    this.filled = Math.max(this.filled - this.at, 0)
    this.at = 0
    while (this.filled < WINDOW && this.offset < this.end) {
      const got = readSync(fd, this.window, this.filled, Math.min(WINDOW - this.filled, this.end - this.offset), this.offset)
      if (got === 0) break
      this.filled += got
      this.offset += got
    }
  }

  /** The next block; false where there is none. */
  private begin(): boolean {
    if (this.filled - this.at < BLOCK_HEAD) return false
    const head = new DataView(this.window.buffer, this.at)
    this.left = head.getUint32(4, true)
    this.at += BLOCK_HEAD
    this.place.fill(0)
    this.rest.fill(0)
    this.slot = this.step = this.stamp = 0
    return this.left > 0
  }

  private record(words: Uint32Array, to: number): void {
    const { place, rest, slot } = this
    const flags = this.window[this.at++]!
    if ((flags & 1) !== 0) place[slot] = this.number()
    for (let i = 0; i < 4; i++) if ((flags & (2 << i)) !== 0) rest[slot * 4 + i] = rest[slot * 4 + i]! ^ this.number()
    this.step = (this.step + ((flags & 32) !== 0 ? this.number() : 1)) >>> 0
    if ((flags & 64) !== 0) this.stamp++
    else if ((flags & 128) !== 0) this.stamp += this.number()
    if (!Number.isSafeInteger(this.stamp)) this.stamp = Number.MAX_SAFE_INTEGER
    const now = place[slot]!
    words[to] = now
    words[to + 1] = this.step
    for (let i = 0; i < 4; i++) words[to + 2 + i] = rest[slot * 4 + i]!
    words[to + 6] = this.stamp % HIGH
    words[to + 7] = this.stamp / HIGH
    this.slot = (now ^ (now >>> 10)) & (SLOTS - 1)
  }

  /** Seven bits a byte, the lowest first. */
  private number(): number {
    let value = 0
    for (let scale = 1; scale <= 2 ** 63; scale *= 128) {
      const byte = this.window[this.at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) break
    }
    return value
  }
}
