/**
 * One of the two tables of seed 001's Algorithm 1: operations seen of late, by object. Columns of numbers; an entry is a place in them, in three lists at once:
 *   - of its object, which is walked when another operation on it comes;
 *   - of its group (same object, same step of the machine, same site), found through a hash, so that what an entry makes superfluous is let go;
 *   - of all, by age, so that the window costs nothing per event.
 *
 * What is let go: when the group has `recent` entries that lead to the new one (of the same task, on a loop of the same flow), the oldest of them. For causes (operations
 * and sites) nothing is lost. Say e leads to f, both of one group, and a later x. If f must come before x then e must as well; so when x may come before e it may
 * come before f, and (f, x) has the cause of (e, x). A group of more than `GROUP_LIMIT` entries, none of which leads to another, loses its oldest; that is counted.
 */
import { NONE, type EventId } from '../../trace/trace.ts'

const GROUP_LIMIT = 32

export class EventTable {
  event = new Int32Array(256)
  /** Place in the order of the run. */
  at = new Int32Array(256)
  /** State before times the number of operations, plus the operation: one step of the machine. */
  step = new Int32Array(256)
  site = new Int32Array(256)
  /** The next entry of the same object. */
  following = new Int32Array(256)
  size = 0
  /** The most entries there ever were. */
  peak = 0
  /** Left the window. */
  expired = 0
  /** Let go because a newer one says as much, or nothing can meet it any more. */
  superseded = 0
  /** Let go though it might have said more. */
  forgotten = 0
  private object = new Int32Array(256)
  private preceding = new Int32Array(256)
  private inGroup = new Int32Array(256)
  private older = new Int32Array(256)
  private younger = new Int32Array(256)
  private used = 0
  private free: number = NONE
  private oldest: number = NONE
  private youngest: number = NONE
  /** By object: its first entry. */
  private heads = new Int32Array(256).fill(NONE)
  /** Open addressing: an entry of the group plus 1; 0 is a free slot. */
  private slots = new Int32Array(1024)
  private mask = 1023
  private groups = 0

  constructor(
    private readonly leadsTo: (earlier: EventId, later: EventId) => boolean,
    private readonly recent: number,
  ) {}

  /** The first entry of an object, NONE without one. Go on with `following`. */
  first(object: number): number {
    return object < this.heads.length ? this.heads[object]! : NONE
  }

  /** Lets go what happened before this place. */
  expire(before: number): void {
    while (this.oldest !== NONE && this.at[this.oldest]! < before) {
      this.remove(this.oldest)
      this.expired++
    }
  }

  /** Lets go all there is of an object. */
  drop(object: number): void {
    for (let entry = this.first(object); entry !== NONE; entry = this.first(object)) {
      this.remove(entry)
      this.superseded++
    }
  }

  add(object: number, step: number, site: number, event: EventId, at: number): void {
    const slot = this.find(object, step, site)
    const head = this.slots[slot]! - 1
    const old = head === NONE ? NONE : this.replaceable(head, event)
    if (old !== NONE) {
      this.event[old] = event
      this.at[old] = at
      this.unlinkAge(old)
      this.linkAge(old)
      return
    }
    if (this.free === NONE && this.used === this.event.length) this.grow()
    const entry = this.free === NONE ? this.used++ : this.free
    if (entry === this.free) this.free = this.following[entry]!
    this.event[entry] = event
    this.at[entry] = at
    this.step[entry] = step
    this.site[entry] = site
    this.object[entry] = object
    this.linkAge(entry)
    this.linkObject(entry, object)
    this.inGroup[entry] = head
    this.slots[slot] = entry + 1
    if (++this.size > this.peak) this.peak = this.size
    if (head === NONE && 2 * ++this.groups > this.mask) this.widen()
  }

  /** Bytes held, for the benchmarks. */
  get bytes(): number {
    return 10 * this.event.byteLength + this.heads.byteLength + this.slots.byteLength
  }

  /** The entry of a group that a new event takes the place of, if any. */
  private replaceable(head: number, event: EventId): number {
    let leading = 0
    let count = 0
    let oldLeading: number = NONE
    let oldest = head
    for (let entry = head; entry !== NONE; entry = this.inGroup[entry]!) {
      count++
      if (this.at[entry]! < this.at[oldest]!) oldest = entry
      if (!this.leadsTo(this.event[entry]!, event)) continue
      leading++
      if (oldLeading === NONE || this.at[entry]! < this.at[oldLeading]!) oldLeading = entry
    }
    if (leading >= this.recent) {
      this.superseded++
      return oldLeading
    }
    if (count < GROUP_LIMIT) return NONE
    if (oldLeading !== NONE) {
      this.superseded++
      return oldLeading
    }
    this.forgotten++
    return oldest
  }

  private remove(entry: number): void {
    this.unlinkAge(entry)
    this.unlinkObject(entry)
    const slot = this.find(this.object[entry]!, this.step[entry]!, this.site[entry]!)
    const head = this.slots[slot]! - 1
    if (head === entry) {
      const rest = this.inGroup[entry]!
      if (rest === NONE) this.clear(slot)
      else this.slots[slot] = rest + 1
    } else {
      let before = head
      while (this.inGroup[before] !== entry) before = this.inGroup[before]!
      this.inGroup[before] = this.inGroup[entry]!
    }
    this.following[entry] = this.free
    this.free = entry
    this.size--
  }

  private linkAge(entry: number): void {
    this.older[entry] = this.youngest
    this.younger[entry] = NONE
    if (this.youngest === NONE) this.oldest = entry
    else this.younger[this.youngest] = entry
    this.youngest = entry
  }

  private unlinkAge(entry: number): void {
    const older = this.older[entry]!
    const younger = this.younger[entry]!
    if (older === NONE) this.oldest = younger
    else this.younger[older] = younger
    if (younger === NONE) this.youngest = older
    else this.older[younger] = older
  }

  private linkObject(entry: number, object: number): void {
    if (object >= this.heads.length) {
      const bigger = new Int32Array(Math.max(object + 1, this.heads.length * 2)).fill(NONE)
      bigger.set(this.heads)
      this.heads = bigger
    }
    const head = this.heads[object]!
    this.following[entry] = head
    this.preceding[entry] = NONE
    if (head !== NONE) this.preceding[head] = entry
    this.heads[object] = entry
  }

  private unlinkObject(entry: number): void {
    const before = this.preceding[entry]!
    const after = this.following[entry]!
    if (before === NONE) this.heads[this.object[entry]!] = after
    else this.following[before] = after
    if (after !== NONE) this.preceding[after] = before
  }

  /** The slot of a group, or the free one where it would go. */
  private find(object: number, step: number, site: number): number {
    const { slots, mask } = this
    for (let slot = hash(object, step, site) & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1
      if (entry === NONE) return slot
      if (this.object[entry] === object && this.step[entry] === step && this.site[entry] === site) return slot
    }
  }

  /** Frees a slot and moves those behind it up, so that no search ends too early. */
  private clear(slot: number): void {
    const { slots, mask } = this
    let hole = slot
    for (let i = (hole + 1) & mask; slots[i] !== 0; i = (i + 1) & mask) {
      const entry = slots[i]! - 1
      const home = hash(this.object[entry]!, this.step[entry]!, this.site[entry]!) & mask
      if (((i - home) & mask) < ((i - hole) & mask)) continue
      slots[hole] = slots[i]!
      hole = i
    }
    slots[hole] = 0
    this.groups--
  }

  private widen(): void {
    const old = this.slots
    this.mask = this.mask * 2 + 1
    this.slots = new Int32Array(this.mask + 1)
    for (const entry of old)
      if (entry !== 0) this.slots[this.find(this.object[entry - 1]!, this.step[entry - 1]!, this.site[entry - 1]!)] = entry
  }

  private grow(): void {
    const twice = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const bigger = new Int32Array(column.length * 2)
      bigger.set(column)
      return bigger
    }
    this.event = twice(this.event)
    this.at = twice(this.at)
    this.step = twice(this.step)
    this.site = twice(this.site)
    this.following = twice(this.following)
    this.object = twice(this.object)
    this.preceding = twice(this.preceding)
    this.inGroup = twice(this.inGroup)
    this.older = twice(this.older)
    this.younger = twice(this.younger)
  }
}

function hash(object: number, step: number, site: number): number {
  let h = Math.imul(object, 0x9e3779b1) ^ Math.imul(step, 0x85ebca6b) ^ Math.imul(site, 0xc2b2ae35)
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  return h ^ (h >>> 13)
}
