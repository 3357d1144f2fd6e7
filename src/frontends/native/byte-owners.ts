/** For each byte of the locations that several threads accessed: which threads. */
export class ByteOwners {
  private owners = new Uint16Array(8 * 64)
  private shared = new Uint8Array(64)
  private readonly free: number[] = []
  private count = 1

  /** `owner` has touched the bytes of `mask` so far. */
  add(owner: number, mask: number): number {
    const at = this.free.pop() ?? this.count++
    if (at >= this.shared.length) {
      const owners = new Uint16Array(this.owners.length * 2)
      owners.set(this.owners)
      this.owners = owners
      const shared = new Uint8Array(this.shared.length * 2)
      shared.set(this.shared)
      this.shared = shared
    }
    this.shared[at] = 0
    for (let b = 0; b < 8; b++) this.owners[at * 8 + b] = (mask & (1 << b)) === 0 ? 0 : owner
    return at
  }

  touch(at: number, who: number, mask: number): void {
    if ((this.shared[at]! & mask) === mask) return
    for (let b = 0; b < 8; b++) {
      if ((mask & (1 << b)) === 0) continue
      const owner = this.owners[at * 8 + b]!
      if (owner === 0) this.owners[at * 8 + b] = who
      else if (owner !== who) this.shared[at]! |= 1 << b
    }
  }

  areSeveral(at: number, mask: number): boolean {
    if ((this.shared[at]! & mask) !== 0) return true
    let one = 0
    for (let b = 0; b < 8; b++) {
      const owner = (mask & (1 << b)) === 0 ? 0 : this.owners[at * 8 + b]!
      if (owner === 0) continue
      if (one !== 0 && one !== owner) return true
      one = owner
    }
    return false
  }

  remove(at: number): void {
    this.free.push(at)
  }
}
