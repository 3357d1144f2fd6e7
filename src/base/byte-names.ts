/**
 * Interns slices of byte buffers: the same bytes give the same number, without making a string for each look-up. Bytes are hashed and
 * compared four at a time through DataViews, whose reads need no alignment. What a look-up costs is cache misses, so there are two at most:
 * a slot of eight bytes, and a record that has the number, the length and the bytes side by side.
 */
const SEED = (Math.random() * 0x7fffffff) | 0 // differs per process: a file cannot be made to collide on purpose

const RECORD_HEAD = 8

export class ByteNames {
  /** Pairs (hash, start of the record in words, plus 1); a second word of 0 is a free slot. */
  private slots = new Int32Array(2 * 256)
  private mask = 255
  private arena = new Uint8Array(4096)
  private records = new DataView(this.arena.buffer)
  private used = 0
  /** Hash of the bytes last looked for. */
  private hash = 0
  size = 0

  /** The number of these bytes, or -1 when they are new: then `add` them next. `view` lies over `bytes`. */
  find(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const length = to - from
    const last = length - 4
    let hash = SEED ^ length
    if (last < 0) {
      for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x9e3779b1)
    } else {
      for (let i = 0; i < last; i += 4) {
        hash = Math.imul(hash ^ view.getInt32(from + i, true), 0x9e3779b1)
        hash ^= hash >>> 15
      }
      hash = Math.imul(hash ^ view.getInt32(from + last, true), 0x9e3779b1) // overlaps the word before, if it must
    }
    hash ^= hash >>> 16
    this.hash = hash
    const { slots, mask, records } = this
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const place = slots[2 * slot + 1]!
      if (place === 0) return -1
      if (slots[2 * slot] !== hash) continue
      const record = (place - 1) * 4
      if (records.getInt32(record + 4, true) !== length) continue
      const start = record + RECORD_HEAD
      let i = 0
      if (last < 0) {
        while (i < length && records.getUint8(start + i) === bytes[from + i]) i++
        if (i < length) continue
      } else {
        while (i < last && records.getInt32(start + i, true) === view.getInt32(from + i, true)) i += 4
        if (i < last || records.getInt32(start + last, true) !== view.getInt32(from + last, true)) continue
      }
      return records.getInt32(record, true)
    }
  }

  /** Adds the bytes that `find` just did not find; their number is the former size. */
  add(bytes: Uint8Array, from: number, to: number): number {
    if (3 * (this.size + 1) > 2 * this.mask) this.widen()
    const record = this.used
    const end = (record + RECORD_HEAD + to - from + 3) & ~3
    if (end > this.arena.length) {
      const bigger = new Uint8Array(Math.max(end, this.arena.length * 2))
      bigger.set(this.arena)
      this.arena = bigger
      this.records = new DataView(bigger.buffer)
    }
    this.records.setInt32(record, this.size, true)
    this.records.setInt32(record + 4, to - from, true)
    this.arena.set(bytes.subarray(from, to), record + RECORD_HEAD)
    this.used = end
    this.place(this.hash, record / 4 + 1)
    return this.size++
  }

  /** Bytes held. They must stay below 2 GiB: a caller with untrusted input sets a limit. */
  get byteLength(): number {
    return this.used
  }

  private place(hash: number, record: number): void {
    let slot = hash & this.mask
    while (this.slots[2 * slot + 1] !== 0) slot = (slot + 1) & this.mask
    this.slots[2 * slot] = hash
    this.slots[2 * slot + 1] = record
  }

  private widen(): void {
    const old = this.slots
    this.slots = new Int32Array(old.length * 2)
    this.mask = this.mask * 2 + 1
    for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== 0) this.place(old[i]!, old[i + 1]!)
  }
}
