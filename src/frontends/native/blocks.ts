/**
 * The heap during a pass over the records: which blocks exist, and which one contains an address. Blocks are numbered in the order of their
 * allocation, and counted for each allocation site.
 */
import { lowerBound } from '../../base/lower-bound.ts'

/** malloc gives multiples of this. */
const ALIGNED = 16
/** Blocks up to this size are found by going down from an address; larger ones in a sorted list. */
const SMALL = 4096

export interface Block {
  readonly number: number
  readonly address: number
  readonly size: number
  readonly pc: number
  /** How many of this place there have been, this one included. */
  readonly nth: number
  /** Who asked for it. */
  readonly task: number
}

export class Blocks {
  private readonly live = new Map<number, Block>()
  private readonly large: number[] = []
  private readonly ofPlace = new Map<number, number>()
  private lowest = Infinity
  private highest = 0
  private last: Block | undefined
  count = 0
  private unseen = 0

  begin(address: number, size: number, pc: number, task: number): Block {
    const nth = (this.ofPlace.get(pc) ?? 0) + 1
    this.ofPlace.set(pc, nth)
    const block = { number: this.count++, address, size, pc, nth, task }
    if (!this.live.has(address) && size > SMALL) this.large.splice(lowerBound(this.large, address), 0, address)
    this.live.set(address, block)
    if (address < this.lowest) this.lowest = address
    if (address + size > this.highest) this.highest = address + size
    return block
  }

  at(address: number): Block | undefined {
    return this.live.get(address)
  }

  /** The block that is given back. One that nobody saw begin (before the records, or inside libc) is known by its size from now on, if there is one. */
  freed(address: number, size: number): Block | undefined {
    const known = this.live.get(address)
    if (known || size === 0) return known
    this.unseen++
    return { number: -this.unseen, address, size, pc: 0, nth: this.unseen, task: -1 }
  }

  end(block: Block): void {
    if (this.live.get(block.address) === block) this.live.delete(block.address)
    if (this.last === block) this.last = undefined
    const at = lowerBound(this.large, block.address)
    if (this.large[at] === block.address) this.large.splice(at, 1)
  }

  /** The block that holds the address. */
  holding(address: number): Block | undefined {
    if (address < this.lowest || address >= this.highest) return undefined
    const { last } = this
    if (last && address >= last.address && address < last.address + last.size) return last
    const from = address - (address % ALIGNED)
    for (let down = 0; down <= SMALL; down += ALIGNED) {
      const block = this.live.get(from - down)
      if (!block) continue
      return address < block.address + block.size ? (this.last = block) : undefined
    }
    const at = lowerBound(this.large, address + 1) - 1
    const block = at < 0 ? undefined : this.live.get(this.large[at]!)
    return block && address < block.address + block.size ? (this.last = block) : undefined
  }
}
