/** The file of one thread as the native runtime writes it (docs/native-format.md), one record at a time. */
import { plain } from '../../base/plain.ts'
import { HEAD_BYTES, headOf, RecordFile } from '../threads/record-file.ts'
import { KIND } from './kinds.ts'

const MAGIC = 'HDNATIV1'

export interface RawHead {
  readonly id: number
  readonly parent: number
  readonly name: string
}

/** The head of a file, or undefined where it has none, or is something else. */
export function readHead(path: string): RawHead | undefined {
  const bytes = headOf(path)
  if (bytes?.toString('latin1', 0, 8) !== MAGIC) return undefined
  const end = bytes.indexOf(0, 16)
  return { id: bytes.readUInt32LE(8), parent: bytes.readUInt32LE(12), name: plain(bytes.toString('utf8', 16, end < 0 ? HEAD_BYTES : end)) }
}

/** A walk over the records of one file. */
export class RawThread extends RecordFile {
  kind = 0
  /** Number of the step at hand, from 1. */
  step = 0
  /** The stamp of the record before. */
  stampBefore = 0
  records = 0
  /** Steps that have no record. */
  skipped = 0

  override rewind(): void {
    super.rewind()
    this.kind = this.step = this.stampBefore = this.records = this.skipped = 0
  }

  /** Goes to the next step; false where there is none. */
  advance(): boolean {
    const { words } = this
    while (this.nextRecord()) {
      const { at } = this
      // The runtime may leave the end of a chunk empty, and go on in the next one.
      if (words[at] === 0 && words[at + 1] === 0) continue
      this.records++
      const kind = words[at]! & 0xff
      if (kind >= KIND.INFO) {
        if (kind !== KIND.SKIP) continue
        this.step += this.value
        this.skipped += this.value
        continue
      }
      this.kind = kind
      const left = words[at + 3]! >>> 16
      this.step += left + 1
      this.skipped += left
      this.stampBefore = this.stamp
      this.takeStamp()
      return true
    }
    this.kind = 0
    return false
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

  /** Where the words of what an update wrote are, or -1. */
  get updatedAt(): number {
    const next = this.following
    return next >= 0 && (this.words[next]! & 0xff) === KIND.UPDATED ? next + 4 : -1
  }

  /** The value of a write is filled in at the next step: of the last one it may be missing. */
  get isLast(): boolean {
    const next = this.following
    return next < 0 || (this.words[next] === 0 && this.words[next + 1] === 0)
  }
}
