/** Counts for pairs of small numbers, such as how often each task holds each lock. Open addressing; a pair once seen keeps its slot. */
export class PairCounts {
  /** Triples (a + 1, b, count); a first word of 0 is a free slot. */
  private slots = new Int32Array(3 * 64)
  private mask = 63
  private size = 0

  get(a: number, b: number): number {
    return this.slots[this.find(a, b) + 2]!
  }

  /** Adds to the count and gives the new one. */
  add(a: number, b: number, by: number): number {
    let at = this.find(a, b)
    if (this.slots[at] === 0) {
      if (2 * ++this.size > this.mask) {
        this.widen()
        at = this.find(a, b)
      }
      this.slots[at] = a + 1
      this.slots[at + 1] = b
    }
    return (this.slots[at + 2]! += by)
  }

  private find(a: number, b: number): number {
    const { slots, mask } = this
    let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
    h ^= h >>> 15
    for (;;) {
      const at = 3 * (h & mask)
      const first = slots[at]!
      if (first === 0 || (first === a + 1 && slots[at + 1] === b)) return at
      h++
    }
  }

  private widen(): void {
    const old = this.slots
    this.mask = this.mask * 2 + 1
    this.slots = new Int32Array(3 * (this.mask + 1))
    for (let i = 0; i < old.length; i += 3) {
      if (old[i] === 0) continue
      const at = this.find(old[i]! - 1, old[i + 1]!)
      this.slots[at] = old[i]!
      this.slots[at + 1] = old[i + 1]!
      this.slots[at + 2] = old[i + 2]!
    }
  }
}
