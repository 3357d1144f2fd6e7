/**
 * The bytes of a file, in order and in pieces, with a look ahead at its start. Errors are those of the system (ENOENT, EISDIR, …): what
 * they mean to a user is for the caller to say.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const PIECE = 1 << 20

export class FileBytes {
  readonly fd: number
  /** Of a regular file; undefined for a pipe. */
  readonly size: number | undefined
  /** Made on first use: positioned reads do without. */
  private piece: Buffer | undefined
  private ahead = 0
  private open = true

  constructor(readonly path: string) {
    this.fd = openSync(path, 'r')
    const stat = fstatSync(this.fd)
    if (stat.isDirectory()) {
      this.close()
      throw Object.assign(new Error(`EISDIR: ${path} is a directory`), { code: 'EISDIR' })
    }
    this.size = stat.isFile() ? stat.size : undefined
  }

  private get buffer(): Buffer {
    return (this.piece ??= Buffer.allocUnsafeSlow(PIECE))
  }

  /** Up to one piece from the start of the file; `next` gives it again. Call it before `next`. */
  peek(): Buffer {
    const { buffer } = this
    let read = 1
    while (read > 0 && this.ahead < PIECE) {
      read = readSync(this.fd, buffer, this.ahead, PIECE - this.ahead, null)
      this.ahead += read
    }
    return buffer.subarray(0, this.ahead)
  }

  /** The next piece, valid until the next call; empty at the end. */
  next(): Buffer {
    const { buffer } = this
    const length = this.ahead > 0 ? this.ahead : readSync(this.fd, buffer, 0, PIECE, null)
    this.ahead = 0
    return buffer.subarray(0, length)
  }

  /** Reads at a position of a regular file, as much as there is. */
  readAt(into: Uint8Array, length: number, position: number): number {
    let done = 0
    while (done < length) {
      const read = readSync(this.fd, into, done, length - done, position + done)
      if (read === 0) break
      done += read
    }
    return done
  }

  close(): void {
    if (!this.open) return
    this.open = false
    closeSync(this.fd)
  }
}
