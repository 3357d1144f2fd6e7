/**
 * Standard input and output of the observed program. The recorded run gets Heddle's own, so that the user sees no difference. Replays get the same
 * kind of stream and the same input: Node reads a file, a pipe and a terminal in different ways, and so posts different operations.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Group } from './group.ts'

/** `quiet`: a device such as /dev/null, which is read and written like a file. */
export type StreamKind = 'terminal' | 'pipe' | 'file' | 'quiet' | 'none'

const MOST_INPUT = 16 << 20
export const KEPT_OUTPUT = 64 << 10
const LARGEST_FILE = 64 << 20

export function kindOf(fd: number): StreamKind {
  try {
    if (isatty(fd)) return 'terminal'
    const stat = fstatSync(fd)
    return stat.isFile() ? 'file' : stat.isCharacterDevice() ? 'quiet' : 'pipe'
  } catch {
    return 'none'
  }
}

/** Passes Heddle's input on to the program and keeps a copy for replays. Call the result when the program has ended: was all of it kept? */
export function teeInput(group: Group, path: string): () => boolean {
  const { stdin } = group.child
  const fd = openSync(path, 'w')
  let size = 0
  const onData = (piece: Buffer): void => {
    const room = MOST_INPUT - size
    if (room > 0) writeSync(fd, piece, 0, Math.min(piece.length, room))
    size += piece.length
    if (stdin!.write(piece) === false) process.stdin.pause()
  }
  const onEnd = (): void => void stdin!.end()
  const onDrain = (): void => void process.stdin.resume()
  stdin!.on('error', () => process.stdin.pause()) // the program does not want more
  stdin!.on('drain', onDrain)
  process.stdin.on('data', onData)
  process.stdin.on('end', onEnd)
  process.stdin.on('error', onEnd)
  return () => {
    process.stdin.off('data', onData).off('end', onEnd)
    stdin!.off('drain', onDrain)
    process.stdin.pause()
    closeSync(fd)
    return size <= MOST_INPUT
  }
}

/** The last piece of what a program prints into a pipe. */
export class Tail {
  private pieces: Buffer[] = []
  private size = 0
  private lost = false

  add(piece: Buffer): void {
    this.pieces.push(piece)
    this.size += piece.length
    while (this.size - this.pieces[0]!.length >= KEPT_OUTPUT) {
      this.size -= this.pieces.shift()!.length
      this.lost = true
    }
  }

  text(): string {
    const all = Buffer.concat(this.pieces)
    return (this.lost ? '…' : '') + all.subarray(Math.max(0, all.length - KEPT_OUTPUT)).toString('utf8')
  }
}

/** Output that goes to a file which never grows large: whoever prints gigabytes fills no disk. */
export class TailFile {
  readonly fd: number

  constructor(path: string) {
    this.fd = openSync(path, 'a+')
  }

  /** To be called now and then. The file was opened to append, so the program goes on at its new end. */
  limit(): void {
    if (fstatSync(this.fd).size > LARGEST_FILE) ftruncateSync(this.fd)
  }

  /** Closes it. */
  text(): string {
    const { size } = fstatSync(this.fd)
    const bytes = Buffer.alloc(Math.min(size, KEPT_OUTPUT))
    readSync(this.fd, bytes, 0, bytes.length, size - bytes.length)
    closeSync(this.fd)
    return bytes.toString('utf8')
  }
}
