/** Standard output: buffered into larger pieces, waits for a slow reader, and stops if the reader has gone (`heddle … | head`). */
import { outputFailed } from './errors.ts'

const PIECE = 1 << 16
/** Lines that GitHub Actions obeys, whoever prints them: names of programs must not become commands (report/escape.ts). */
const COMMAND = /^([ \t]*)::/gm

export interface Io {
  readonly out: Output
  /** Columns of the terminal; a fixed number when there is none, so that output does not change with the place it goes to. */
  readonly width: number
  readonly colour: boolean
  readonly version: string
}

export class Output {
  private pending = ''
  private failure: NodeJS.ErrnoException | undefined

  constructor(private readonly stream: NodeJS.WriteStream) {
    stream.on('error', (error: NodeJS.ErrnoException) => (this.failure ??= error))
  }

  async write(text: string): Promise<void> {
    await this.commands(text.replaceAll(COMMAND, '$1∷'))
  }

  /** Lines that a CI server is to obey. */
  async commands(text: string): Promise<void> {
    this.pending += text
    if (this.pending.length >= PIECE) await this.flush()
  }

  async writeAll(pieces: Iterable<string>): Promise<void> {
    for (const piece of pieces) await this.write(piece)
  }

  async flush(): Promise<void> {
    const text = this.pending
    this.pending = ''
    if (text !== '') await new Promise<void>((resolve) => this.stream.write(text, () => resolve()))
    if (this.failure?.code === 'EPIPE') throw new ReaderGone()
    if (this.failure) throw outputFailed(this.failure.message)
  }
}

/** Whoever read the output has closed it. */
export class ReaderGone extends Error {}
