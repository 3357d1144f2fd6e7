/**
 * The second pass over the records: events for what is shared. The survey found those locations, blocks and objects. Both passes meet them in the
 * same order, so they are identified by number.
 */
import { ALLOC, ATOMIC_READ, ATOMIC_WRITE, BEGIN, END, FORK, FREE, READ, UPDATE, WRITE } from '../../trace/ops.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import { Blocks, type Block } from './blocks.ts'
import { Granules } from './granules.ts'
import { ObjectEvents, type EmitTables } from './object-events.ts'
import { Objects } from './objects.ts'
import { Output } from '../threads/output.ts'
import { bitsIn, bytes, lowest, partOf } from './parts.ts'
import { KIND } from './kinds.ts'
import type { RawThread } from './raw.ts'
import { lowerBound } from '../../base/lower-bound.ts'
import { Stacks, type Stack } from './stacks.ts'
import { makesPlaces, newPlacesOf, type Shared } from './survey.ts'
import { useOf } from './uses.ts'
import { Words } from './words.ts'
import type { Visitor } from '../threads/order.ts'

/** A copy, or giving a block back, is an access to at most so many locations. */
const MOST_AT_ONCE = 4096
const NONE = -1
const DEAD = 0
const ALONE = -1

/** Where the locations of a shared place are. */
export interface Places {
  readonly address: Float64Array
  /** Of those on a stack. */
  readonly stack: Map<number, Stack>
  /** Per place: number of its first location; one more at the end. */
  readonly base: Int32Array
}

export class Emit implements Visitor<RawThread> {
  readonly output: Output
  readonly places: Places
  readonly meetings: ObjectEvents
  private readonly granules = new Granules()
  private readonly blocks = new Blocks()
  private readonly stacks: Stacks
  private readonly objects: Objects
  private readonly words: Words
  private readonly blockNumbers: Int32Array
  /** Per granule: DEAD, ALONE, or the number of its shared place and one. */
  private placeOf = new Int32Array(0)
  private begun = 0
  private met = 0

  constructor(
    threads: readonly RawThread[],
    private readonly shared: Shared,
    tables: EmitTables,
    private readonly taskOf: (id: number) => number,
    top = 0,
  ) {
    this.stacks = new Stacks(top)
    this.objects = new Objects(this.blocks, this.stacks)
    const n = shared.place.length
    const base = new Int32Array(n + 1)
    for (let k = 0; k < n; k++) base[k + 1] = base[k]! + bitsIn(shared.starts[k]!)
    this.places = { address: new Float64Array(n), stack: new Map(), base }
    this.output = new Output(base[n]! + shared.blocks.length, tables.names, threads)
    this.meetings = new ObjectEvents(this.output, tables, this.objects, shared.objects, (block) => this.sharedBlock(block) !== NONE)
    this.words = new Words(tables.values)
    this.blockNumbers = Int32Array.from(shared.blocks, (block) => block.number)
  }

  visit(thread: RawThread): void {
    const { task, kind, words, at } = thread
    this.output.at(thread)
    switch (kind) {
      case KIND.READ:
        this.access(thread, READ)
        return
      case KIND.WRITE:
        this.access(thread, WRITE)
        return
      case KIND.ATOMIC_READ:
        this.access(thread, ATOMIC_READ)
        return
      case KIND.ATOMIC_WRITE:
        this.access(thread, ATOMIC_WRITE)
        return
      case KIND.ATOMIC_UPDATE:
        this.access(thread, UPDATE)
        return
      case KIND.RANGE_READ:
      case KIND.RANGE_WRITE:
        this.copy(thread.object, words[at + 4]! + words[at + 5]! * 2 ** 32, kind === KIND.RANGE_WRITE)
        return
      case KIND.ALLOC: {
        if (thread.object === 0) return // there was no memory
        const old = this.blocks.at(thread.object)
        if (old) this.free(old, false)
        const block = this.blocks.begin(thread.object, thread.value, thread.pc, task)
        const number = this.sharedBlock(block)
        if (number !== NONE) this.output.put(ALLOC, this.places.base.at(-1)! + number)
        return
      }
      case KIND.FREE: {
        const block = this.blocks.freed(thread.object, thread.value)
        if (block) this.free(block, true)
        return
      }
      case KIND.CREATE:
      case KIND.JOIN: {
        const other = this.taskOf(thread.object)
        if (other < 0 || other === task) return
        const isForked = this.shared.forked[other] === 1
        if (kind === KIND.CREATE && isForked) this.output.put(FORK, other)
        // A thread of which nothing is known cannot be joined.
        const isKnown = isForked || this.output.agreement.lastOf(other) !== NONE
        if (kind === KIND.JOIN && isKnown && this.shared.joined[other] === 1) this.output.join(other)
        return
      }
      case KIND.BEGIN:
        if (thread.object > 0 && thread.value > 0) {
          const end = thread.object + thread.value
          this.granules.walk(thread.object, end, (g) => (this.placeOf[g] = DEAD))
          this.objects.stackBegins(thread.object, end)
          this.stacks.begin(task, thread.object, end)
        }
        this.output.put(BEGIN, NONE)
        return
      case KIND.END:
        this.output.put(END, NONE)
        return
      default: {
        const object = useOf(this.objects, thread)
        if (object) this.meetings.use(thread, object)
      }
    }
  }

  // Memory

  private access(thread: RawThread, op: number): void {
    const { words, at, log } = thread
    const address = thread.object
    const size = 1 << Math.min(log, 6)
    const offset = address & 7
    if (offset + size <= 8) {
      const place = this.enter(address)
      if (place < 0) return
      const part = partOf(this.shared.joins[place]!, offset)
      const location = this.location(place, part)
      if (location === NONE) return
      const observed = part === bytes(offset, size) && !(op === WRITE && thread.isLast)
      const value = observed ? this.words.code(words[at + 4]!, words[at + 5]!, log) : NOT_OBSERVED
      this.one(thread, op, location, value, observed, log)
      return
    }
    for (let from = address, end = address + size; from < end;) {
      const next = Math.min(from - (from % 8) + 8, end)
      const place = this.enter(from)
      const location = place < 0 ? NONE : this.location(place, partOf(this.shared.joins[place]!, from & 7))
      if (location !== NONE) this.one(thread, op, location, NOT_OBSERVED, false, log)
      from = next
    }
  }

  private one(thread: RawThread, op: number, location: number, value: number, observed: boolean, log: number): void {
    if (op === READ || op === ATOMIC_READ) this.output.read(op, location, value, false)
    else if (op !== UPDATE) this.output.write(op, location, value)
    else {
      const written = thread.updatedAt
      this.output.read(ATOMIC_READ, location, value, true)
      const now = observed && written >= 0 ? this.words.code(thread.words[written]!, thread.words[written + 1]!, log) : NOT_OBSERVED
      this.output.write(UPDATE, location, now)
    }
  }

  private copy(address: number, size: number, writes: boolean): void {
    const end = address + size
    let at = address
    let count = 0
    const touch = (place: number, mask: number): void => {
      if (place >= 0 && count < MOST_AT_ONCE) count += this.all(place, mask, writes)
    }
    if (makesPlaces(this.granules)) {
      const made = address + newPlacesOf(size)
      while (at < made) {
        const next = Math.min(at - (at % 8) + 8, end)
        touch(this.enter(at), bytes(at & 7, next - at))
        at = next
      }
    }
    this.granules.walk(at, end, (g, start) => {
      const first = Math.max(start, address)
      if (this.placeOf[g] !== DEAD) touch(this.placeOf[g]! - 1, bytes(first - start, end - first))
    })
  }

  /** Reads or writes every location of the place that lies in these bytes. */
  private all(place: number, mask: number, writes: boolean): number {
    let count = 0
    for (let left = this.shared.starts[place]!; left !== 0; left &= left - 1) {
      const part = partOf(this.shared.joins[place]!, lowest(left))
      if ((part & mask) === 0) continue
      const location = this.location(place, part)
      if (writes) this.output.write(WRITE, location)
      else this.output.read(READ, location, NOT_OBSERVED, false)
      count++
    }
    return count
  }

  private free(block: Block, isSeen: boolean): void {
    const number = this.sharedBlock(block)
    let count = 0
    this.granules.walk(block.address, block.address + block.size, (g) => {
      const place = this.placeOf[g]! - 1
      this.placeOf[g] = DEAD
      if (isSeen && place >= 0 && count < MOST_AT_ONCE) count += this.all(place, 0xff, true)
    })
    if (isSeen && number !== NONE) this.output.put(FREE, this.places.base.at(-1)! + number)
    this.objects.blockEnds(block)
    this.blocks.end(block)
  }

  /** The shared place that holds the address, or a negative number. Places begin here as they did in the survey. */
  private enter(address: number): number {
    const g = this.granules.at(address)
    if (g >= this.placeOf.length) {
      const longer = new Int32Array(Math.max(this.granules.size, this.placeOf.length * 2, 1024))
      longer.set(this.placeOf)
      this.placeOf = longer
    }
    const known = this.placeOf[g]!
    if (known !== DEAD) return known - 1
    if (this.begun++ !== this.shared.place[this.met]) {
      this.placeOf[g] = ALONE
      return ALONE - 1
    }
    const place = this.met++
    this.places.address[place] = address - (address % 8)
    const stack = this.shared.block[place] === NONE ? this.stacks.at(address) : undefined
    if (stack) this.places.stack.set(place, stack)
    this.placeOf[g] = place + 1
    return place
  }

  private location(place: number, part: number): number {
    const start = part & -part
    const starts = this.shared.starts[place]!
    return (starts & start) === 0 ? NONE : this.places.base[place]! + bitsIn(starts & (start - 1))
  }

  private sharedBlock(block: Block): number {
    const at = lowerBound(this.blockNumbers, block.number)
    return this.blockNumbers[at] === block.number ? at : NONE
  }
}
