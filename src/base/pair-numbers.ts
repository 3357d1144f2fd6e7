/** Numbers for pairs of numbers below 2^32, in the order in which they are first seen. Open addressing. */
export class PairNumbers {
  /** Triples (a, b, number + 1); a last word of 0 is a free slot. */
  private slots = new Uint32Array(3 * 1024)
  private mask = 1023
  size = 0

  /** -1: not seen. */
  find(a: number, b: number): number {
    return this.slots[this.slot(a, b) + 2]! - 1
  }

  of(a: number, b: number): number {
    const at = this.slot(a, b)
    const known = this.slots[at + 2]!
    if (known !== 0) return known - 1
    this.slots[at] = a
    this.slots[at + 1] = b
    this.slots[at + 2] = ++this.size
    const number = this.size - 1
    if (2 * this.size > this.mask) this.widen()
    return number
  }

  private slot(a: number, b: number): number {
    const { slots, mask } = this
    let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
    h ^= h >>> 15
    for (;;) {
      const at = 3 * (h & mask)
      if (slots[at + 2] === 0 || (slots[at] === a >>> 0 && slots[at + 1] === b >>> 0)) return at
      h++
    }
  }

  private widen(): void {
    const old = this.slots
    this.mask = this.mask * 2 + 1
    this.slots = new Uint32Array(3 * (this.mask + 1))
    for (let i = 0; i < old.length; i += 3) {
      if (old[i + 2] === 0) continue
      const at = this.slot(old[i]!, old[i + 1]!)
      this.slots.set(old.subarray(i, i + 3), at)
    }
  }
}
