/**
 * Interns slices of byte buffers: the same bytes give the same number, without making a string for each look-up. Open addressing over a
 * byte arena; the caller hashes while it scans (start from `HASH_START`, feed every byte to `hashByte`), so that each byte is touched once.
 */
export const HASH_START = (Math.random() * 0x7fffffff) | 0 // differs per process: a file cannot be made to collide on purpose

export const hashByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

export class ByteNames {
  /** Pairs (hash, entry + 1); an entry of 0 is a free slot. */
  private slots = new Int32Array(2 * 256)
  private mask = 255
  private arena = new Uint8Array(4096)
  private used = 0
  /** Entry e lies at ends[e] .. ends[e + 1] of the arena. */
  private ends = new Uint32Array(256)
  size = 0

  /** The number of these bytes, or -1 when they are new: then `add` them. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const { slots, mask, arena, ends } = this
    let slot = mixed(hash) & mask
    for (;;) {
      const entry = slots[2 * slot + 1]!
      if (entry === 0) return -1
      if (slots[2 * slot] === hash) {
        const start = ends[entry - 1]!
        const length = to - from
        if (ends[entry]! - start === length) {
          let i = 0
          while (i < length && arena[start + i] === bytes[from + i]) i++
          if (i === length) return entry - 1
        }
      }
      slot = (slot + 1) & mask
    }
  }

  /** Adds bytes that `find` did not find; their number is the former size. */
  add(bytes: Uint8Array, from: number, to: number, hash: number): number {
    if (2 * (this.size + 1) > this.mask) this.widen()
    const end = this.used + to - from
    if (end > this.arena.length) {
      const bigger = new Uint8Array(Math.max(end, this.arena.length * 2))
      bigger.set(this.arena)
      this.arena = bigger
    }
    this.arena.set(bytes.subarray(from, to), this.used)
    this.used = end
    if (this.size + 2 > this.ends.length) {
      const longer = new Uint32Array(this.ends.length * 2)
      longer.set(this.ends)
      this.ends = longer
    }
    this.ends[++this.size] = end
    this.place(hash, this.size)
    return this.size - 1
  }

  private place(hash: number, entry: number): void {
    let slot = mixed(hash) & this.mask
    while (this.slots[2 * slot + 1] !== 0) slot = (slot + 1) & this.mask
    this.slots[2 * slot] = hash
    this.slots[2 * slot + 1] = entry
  }

  private widen(): void {
    const old = this.slots
    this.slots = new Int32Array(old.length * 2)
    this.mask = this.mask * 2 + 1
    for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== 0) this.place(old[i]!, old[i + 1]!)
  }
}

/** The low bits of the byte hash know little of the early bytes' high bits. */
function mixed(hash: number): number {
  return hash ^ (hash >>> 15)
}
