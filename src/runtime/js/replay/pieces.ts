/**
 * Splits a stream of bytes into the pieces that the recorded run read. How a kernel splits it depends on when others write and when the loop reads,
 * and the program may depend on it (what came in one piece is handled in one turn). If this stream is longer or shorter than the recorded one, the
 * real pieces are used: messages may have other lengths, and a piece that ends inside a message is not one. A message that is too long for one piece
 * was split by the kernel at any point; there the recorded pieces are used wherever they end.
 */

/** So long is no message that somebody waits for. */
const BULK = 16_384

export interface Taker {
  /** `more`: another one was given just before. */
  give(piece: Uint8Array, more: boolean): void
  /** A piece is not whole. True: `flush` will be called after a while. */
  wait(): boolean
  /** There are more pieces than the recorded run had. */
  other(): void
}

export class Pieces {
  private parts: Uint8Array[] = []
  private length = 0
  private given = 0

  constructor(
    private readonly sizes: readonly number[],
    private readonly taker: Taker,
  ) {}

  push(part: Uint8Array): void {
    this.parts.push(part)
    this.length += part.length
    const size = this.sizes[this.given] ?? 0
    if (size === 0) this.taker.other()
    if (this.length > size && size > 0 && (this.isBulk(size) || this.endsWithPiece())) this.split()
    else if (this.length >= size || !this.taker.wait()) this.all()
  }

  /** Are there more pieces, and this one as long as the kernel likes? */
  private isBulk(size: number): boolean {
    return size >= BULK && (this.sizes[this.given + 1] ?? 0) > 0
  }

  /** Nothing more comes, or not soon. */
  flush(): void {
    if (this.length > 0) this.all()
  }

  /** Are these exactly the next pieces of the recorded run? */
  private endsWithPiece(): boolean {
    let sum = 0
    for (let i = this.given; i < this.sizes.length && sum < this.length; i++) sum += this.sizes[i]!
    return sum === this.length
  }

  private split(): void {
    const whole = this.take()
    let from = 0
    for (let more = false; from < whole.length; more = true) {
      const to = from + (this.sizes[this.given] ?? Infinity)
      if (to > whole.length) break
      this.given++
      if (to > from) this.taker.give(whole.subarray(from, to), more)
      from = to
    }
    if (from === whole.length) return
    this.parts = [whole.subarray(from)]
    this.length = whole.length - from
    if (this.given >= this.sizes.length || !this.taker.wait()) this.all(from > 0)
  }

  private all(more = false): void {
    this.given++
    this.taker.give(this.take(), more)
  }

  /** The end of the stream was given. */
  ended(): void {
    this.given++
  }

  private take(): Uint8Array {
    const [first, ...others] = this.parts
    let whole = first!
    if (others.length > 0) {
      whole = new Uint8Array(this.length)
      let at = 0
      for (const part of this.parts) {
        whole.set(part, at)
        at += part.length
      }
    }
    this.parts = []
    this.length = 0
    return whole
  }
}
