/**
 * A number for every eight bytes of memory that the program accesses (a granule), found by address. Lines of eight granules are hashed; pages are
 * known, too, so that a walk over a large block costs only what was accessed in it.
 */
const LINE = 64
const PAGE = 4096

export class Granules {
  private keys = new Float64Array(1024)
  private lines = new Int32Array(1024)
  private mask = 1023
  private count = 0
  private readonly pages = new Set<number>()
  private lastKey = -1
  private lastLine = -1

  /** How many granules have a number. */
  get size(): number {
    return this.count * 8
  }

  /** The number of the granule that holds the address; it gets one. */
  at(address: number): number {
    const key = Math.floor(address / LINE)
    const line = key === this.lastKey ? this.lastLine : this.line(key)
    return line * 8 + ((address >>> 3) & 7)
  }

  /** The same, or -1 if it has none. */
  find(address: number): number {
    const key = Math.floor(address / LINE)
    if (key !== this.lastKey) {
      const at = this.place(key)
      if (this.lines[at] === 0) return -1
      this.lastKey = key
      this.lastLine = this.lines[at]! - 1
    }
    return this.lastLine * 8 + ((address >>> 3) & 7)
  }

  /** All granules with a number that lie in the range, even in part, by rising address. */
  walk(from: number, to: number, each: (granule: number, address: number) => void): void {
    if (to <= from) return
    const first = Math.floor(from / PAGE)
    const last = Math.floor((to - 1) / PAGE)
    if (last - first < 2 * this.pages.size) {
      for (let page = first; page <= last; page++) if (this.pages.has(page)) this.walkPage(page, from, to, each)
    } else {
      const inside = [...this.pages].filter((page) => page >= first && page <= last).sort((a, b) => a - b)
      for (const page of inside) this.walkPage(page, from, to, each)
    }
  }

  private walkPage(page: number, from: number, to: number, each: (granule: number, address: number) => void): void {
    const start = Math.max(page * PAGE, from - (from % 8))
    const end = Math.min((page + 1) * PAGE, to)
    for (let address = start; address < end;) {
      const key = Math.floor(address / LINE)
      const stop = Math.min((key + 1) * LINE, end)
      const line = this.lines[this.place(key)]! - 1
      if (line >= 0) for (let a = address; a < stop; a += 8) each(line * 8 + ((a >>> 3) & 7), a)
      address = (key + 1) * LINE
    }
  }

  private line(key: number): number {
    let at = this.place(key)
    if (this.lines[at] === 0) {
      if (3 * this.count > 2 * this.mask) {
        this.widen()
        at = this.place(key)
      }
      this.keys[at] = key
      this.lines[at] = ++this.count
      this.pages.add(Math.floor(key / (PAGE / LINE)))
    }
    this.lastKey = key
    return (this.lastLine = this.lines[at]! - 1)
  }

  private place(key: number): number {
    const { keys, lines, mask } = this
    let h = Math.imul((key % 2 ** 32) | 0, 0x9e3779b1) ^ Math.imul((key / 2 ** 32) | 0, 0x85ebca6b)
    h ^= h >>> 15
    let at = h & mask
    while (lines[at] !== 0 && keys[at] !== key) at = (at + 1) & mask
    return at
  }

  private widen(): void {
    const { keys, lines } = this
    this.mask = this.mask * 2 + 1
    this.keys = new Float64Array(this.mask + 1)
    this.lines = new Int32Array(this.mask + 1)
    for (let i = 0; i < lines.length; i++) {
      if (lines[i] === 0) continue
      const at = this.place(keys[i]!)
      this.keys[at] = keys[i]!
      this.lines[at] = lines[i]!
    }
  }
}
