/** The file of one thread as the agent in a Java program writes it (docs/java-format.md), one record at hand at a time. */
import type { Walk } from '../threads/order.ts'
import type { AtHand } from '../threads/output.ts'
import { headOf, RecordFile } from '../threads/record-file.ts'
import { KIND } from './kinds.ts'

const MAGIC = 'HDJAVA01'

export interface RawHead {
  readonly id: number
  readonly name: string
}

/** The head of a file, or undefined where it has none, or is something else. */
export function readHead(path: string): RawHead | undefined {
  const bytes = headOf(path)
  if (bytes?.toString('latin1', 0, 8) !== MAGIC) return undefined
  const name = bytes.toString('latin1', 16).replace(/\0.*$/s, '')
  return /^(main|thread (deep )?[\d.]+)$/.test(name) ? { id: bytes.readUInt32LE(8), name } : undefined
}

/** A walk over the records of one file. */
export class JavaThread extends RecordFile implements Walk, AtHand {
  kind = 0
  /** Number of the step at hand, from 1. */
  step = 0

  override rewind(): void {
    super.rewind()
    this.kind = this.step = 0
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
