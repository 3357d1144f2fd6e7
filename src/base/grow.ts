/** Growable typed arrays. `finish` hands out a shared buffer, so that worker threads can read the result without a copy. */

type Typed = Int32Array | Uint8Array

abstract class Growing<A extends Typed> {
  protected data: A
  length = 0

  constructor(
    private readonly make: (buffer: ArrayBuffer | SharedArrayBuffer) => A,
    capacity: number,
    private readonly bytes: number,
  ) {
    this.data = make(new ArrayBuffer(capacity * bytes))
  }

  push(value: number): void {
    if (this.length === this.data.length) this.grow(this.length + 1)
    this.data[this.length++] = value
  }

  at(i: number): number {
    return this.data[i]!
  }

  set(i: number, value: number): void {
    this.data[i] = value
  }

  pop(): number {
    return this.data[--this.length]!
  }

  /** The filled part, without a copy; valid until the next push. */
  view(): A {
    return this.data.subarray(0, this.length) as A
  }

  finish(): A {
    const out = this.make(new SharedArrayBuffer(this.length * this.bytes))
    out.set(this.data.subarray(0, this.length))
    return out
  }

  private grow(least: number): void {
    const bigger = this.make(new ArrayBuffer(Math.max(least, this.data.length * 2, 16) * this.bytes))
    bigger.set(this.data)
    this.data = bigger
  }
}

export class GrowInt32 extends Growing<Int32Array> {
  constructor(capacity = 64) {
    super((b) => new Int32Array(b), capacity, 4)
  }
}

export class GrowUint8 extends Growing<Uint8Array> {
  constructor(capacity = 64) {
    super((b) => new Uint8Array(b), capacity, 1)
  }
}

export const sharedInt32 = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4))
export const sharedUint8 = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length))
