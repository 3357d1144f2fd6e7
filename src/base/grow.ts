/** A growable array of 32-bit numbers, and arrays on shared buffers, which worker threads can read without a copy. */
export class GrowInt32 {
  private data: Int32Array
  length = 0

  constructor(capacity = 64) {
    this.data = new Int32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.data.length) this.grow()
    this.data[this.length++] = value
  }

  at(i: number): number {
    return this.data[i]!
  }

  set(i: number, value: number): void {
    this.data[i] = value
  }

  /** The filled part, without a copy; valid until the next push. */
  view(): Int32Array {
    return this.data.subarray(0, this.length)
  }

  /** The filled part on a shared buffer. */
  finish(): Int32Array {
    const out = sharedInt32(this.length)
    out.set(this.view())
    return out
  }

  private grow(): void {
    const bigger = new Int32Array(Math.max(this.data.length * 2, 16))
    bigger.set(this.data)
    this.data = bigger
  }
}

export const sharedInt32 = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4))
export const sharedUint8 = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length))
