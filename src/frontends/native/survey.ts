/**
 * The first pass over the records: which locations two threads access and one writes, and which objects and heap blocks more than one thread uses.
 * Locations live until their heap block is freed or their stack is given to another thread. Locations that are not shared are dropped at once, so the
 * memory needed is that of what exists at one time.
 *
 * Exact for the bytes that single accesses cover. In memory that only copies (memcpy) access, neighbours with the same history count as one location.
 */
import { GrowInt32 } from '../../base/grow.ts'
import { Blocks, type Block } from './blocks.ts'
import { Granules } from './granules.ts'
import { ByteOwners } from './byte-owners.ts'
import { Objects, type SyncObject } from './objects.ts'
import { bytes, joinsOf, lowest, partOf } from './parts.ts'
import { KIND } from './kinds.ts'
import type { RawThread } from './raw.ts'
import { sortedBy } from './sorted.ts'
import { lowerBound } from '../../base/lower-bound.ts'
import { Stacks } from './stacks.ts'
import { useOf } from './uses.ts'
import type { Visitor } from '../threads/order.ts'

/** Longer copies make no new places beyond this many bytes: they count for what was touched before. */
const LONGEST = 1 << 20
/** With so many places at one time copies make no new ones. */
const MOST_PLACES = 32_000_000

export const makesPlaces = (granules: Granules): boolean => granules.size < MOST_PLACES
export const newPlacesOf = (size: number): number => Math.min(size, LONGEST)

/** What was found, places and blocks by the order in which they began. */
export interface Shared {
  /** Per shared place: its number, how its bytes fall into locations, and where those begin that are shared and written. */
  readonly place: Uint32Array
  readonly joins: Uint8Array
  readonly starts: Uint8Array
  /** Per shared place: which of `blocks` it lies in, or -1. */
  readonly block: Int32Array
  /** In the order of their numbers. */
  readonly blocks: readonly Block[]
  /** All, shared or not. */
  readonly objects: readonly SyncObject[]
  /** Per task: its `fork` and its `join` can be believed. */
  readonly forked: Uint8Array
  readonly joined: Uint8Array
  readonly records: number
  /** Threads that were made, also those that left no record. */
  readonly created: number
}

/** The owner of a place that more than one thread touched. */
const SEVERAL = 0xffff

/** No block has this number. */
const NO_BLOCK = 2 ** 31 - 1

const NEVER = 0
const ONCE = 1
const WRONG = 2

export class Survey implements Visitor<RawThread> {
  private readonly granules = new Granules()
  private readonly blocks = new Blocks()
  private readonly stacks: Stacks
  private readonly objects: Objects
  /** Per granule, in one number, since most accesses need no more: owner (16 bits), bytes touched by single accesses (8), bytes written (8). */
  private state = new Uint32Array(0)
  private touched = new Uint8Array(0)
  private joins = new Uint8Array(0)
  private several = new Int32Array(0)
  private number = new Uint32Array(0)
  private history = new Uint32Array(0)
  private readonly bytesOwners = new ByteOwners()
  private places = 0
  private copies = 0
  private readonly found = { place: new GrowInt32(), shape: new GrowInt32(), block: new GrowInt32() }
  private readonly sharedBlocks: Block[] = []
  private readonly forked: Uint8Array
  private readonly joined: Uint8Array
  private readonly started: Uint8Array
  private readonly ended: Uint8Array
  private records = 0
  private created = 0

  constructor(
    tasks: number,
    private readonly taskOf: (id: number) => number,
    top = 0,
  ) {
    this.stacks = new Stacks(top)
    this.objects = new Objects(this.blocks, this.stacks)
    this.forked = new Uint8Array(tasks)
    this.joined = new Uint8Array(tasks)
    this.started = new Uint8Array(tasks)
    this.ended = new Uint8Array(tasks)
  }

  visit(thread: RawThread): void {
    const { task, kind } = thread
    this.records++
    this.started[task] = 1
    if (this.ended[task] === 1) this.joined[task] = WRONG
    switch (kind) {
      case KIND.READ:
      case KIND.ATOMIC_READ:
        this.access(task, thread.object, thread.log, false)
        return
      case KIND.WRITE:
      case KIND.ATOMIC_WRITE:
      case KIND.ATOMIC_UPDATE:
        this.access(task, thread.object, thread.log, true)
        return
      case KIND.RANGE_READ:
      case KIND.RANGE_WRITE:
        this.copy(task, thread.object, thread.value, kind === KIND.RANGE_WRITE)
        return
      case KIND.ALLOC: {
        if (thread.object === 0) return // there was no memory
        const old = this.blocks.at(thread.object)
        if (old) this.free(task, old)
        this.blocks.begin(thread.object, thread.value, thread.pc, task)
        return
      }
      case KIND.FREE: {
        const block = this.blocks.freed(thread.object, thread.value)
        if (block) this.free(task, block)
        return
      }
      case KIND.CREATE: {
        this.created++
        const other = this.taskOf(thread.object)
        if (other < 0 || other === task) return
        this.forked[other] = this.forked[other] === NEVER && this.started[other] === 0 ? ONCE : WRONG
        return
      }
      case KIND.JOIN: {
        const other = this.taskOf(thread.object)
        if (other < 0 || other === task) return
        if (this.joined[other] === NEVER) this.joined[other] = ONCE
        this.ended[other] = 1
        return
      }
      case KIND.BEGIN:
        if (thread.object > 0 && thread.value > 0) {
          const end = thread.object + thread.value
          this.flush(thread.object, end, undefined)
          this.objects.stackBegins(thread.object, end)
          this.stacks.begin(task, thread.object, end)
        }
        return
      default:
        useOf(this.objects, thread)
    }
  }

  finish(): Shared {
    for (const block of this.flush(0, 2 ** 48, undefined)) this.sharedBlocks.push(block)
    const blocks = this.sharedBlocks.sort((a, b) => a.number - b.number)
    const numbers = blocks.map((block) => block.number)
    const n = this.found.place.length
    const place = new Uint32Array(n)
    const joins = new Uint8Array(n)
    const starts = new Uint8Array(n)
    const block = new Int32Array(n)
    const order = sortedBy(this.found.place.view())
    for (let i = 0; i < n; i++) {
      const k = order[i]!
      place[i] = this.found.place.at(k)
      joins[i] = this.found.shape.at(k) >>> 8
      starts[i] = this.found.shape.at(k) & 0xff
      block[i] = this.found.block.at(k) === NO_BLOCK ? -1 : lowerBound(numbers, this.found.block.at(k))
    }
    return {
      place,
      joins,
      starts,
      block,
      blocks,
      objects: this.objects.all,
      forked: this.forked.map((state) => Number(state === ONCE)),
      joined: this.joined.map((state) => Number(state === ONCE)),
      records: this.records,
      created: this.created,
    }
  }

  private access(task: number, address: number, log: number, writes: boolean): void {
    const size = 1 << Math.min(log, 6)
    const offset = address & 7
    if (offset + size <= 8) {
      const mask = bytes(offset, size)
      const g = this.granules.at(address)
      // What a thread does again and again.
      const wanted = (mask << 8) | (writes ? mask : 0)
      const state = this.state[g]!
      if (state >>> 16 === task + 1 && (state & wanted) === wanted && (joinsOf(mask) & ~this.joins[g]!) === 0) return
      this.touch(g, task, mask, writes)
      this.join(g, mask)
      return
    }
    for (let at = address, end = address + size; at < end;) {
      const next = Math.min(at - (at % 8) + 8, end)
      const mask = bytes(at & 7, next - at)
      const g = this.granules.at(at)
      this.touch(g, task, mask, writes)
      this.join(g, mask)
      at = next
    }
  }

  private copy(task: number, address: number, size: number, writes: boolean): void {
    const end = address + size
    const copy = ++this.copies
    let at = address
    if (makesPlaces(this.granules)) {
      const made = address + newPlacesOf(size)
      while (at < made) {
        const next = Math.min(at - (at % 8) + 8, end)
        this.copied(this.granules.at(at), task, bytes(at & 7, next - at), writes, copy)
        at = next
      }
    }
    this.granules.walk(at, end, (g, start) => {
      const first = Math.max(start, address)
      if (this.state[g] !== 0) this.copied(g, task, bytes(first - start, end - first), writes, copy)
    })
  }

  private copied(g: number, task: number, mask: number, writes: boolean, copy: number): void {
    this.touch(g, task, mask, writes)
    if (mask !== 0xff) this.join(g, mask)
    this.history[g] = Math.imul(this.history[g]!, 31) + copy
  }

  private join(g: number, mask: number): void {
    this.state[g]! |= mask << 8
    this.joins[g]! |= joinsOf(mask)
  }

  private touch(g: number, task: number, mask: number, writes: boolean): void {
    if (g >= this.state.length) this.widen()
    const me = Math.min(task + 1, SEVERAL - 1)
    let owner = this.state[g]! >>> 16
    if (owner === 0) {
      owner = me
      this.state[g] = me << 16
      this.touched[g] = this.joins[g] = this.history[g] = 0
      this.number[g] = this.places++
    }
    if (owner !== me && owner !== SEVERAL) {
      this.several[g] = this.bytesOwners.add(owner, this.touched[g]!)
      this.state[g]! |= SEVERAL << 16
      owner = SEVERAL
    }
    if (owner === SEVERAL) this.bytesOwners.touch(this.several[g]!, me, mask)
    this.touched[g]! |= mask
    if (writes) this.state[g]! |= mask
  }

  /** Giving a block back writes all of it that is known. Then it is gone, and so are the objects in it. */
  private free(task: number, block: Block): void {
    this.granules.walk(block.address, block.address + block.size, (g) => {
      if (this.state[g] !== 0) this.touch(g, task, this.touched[g]!, true)
    })
    const before = this.found.place.length
    this.flush(block.address, block.address + block.size, block)
    const used = this.objects.blockEnds(block).some((object) => object.shared || object.task !== task)
    if (used || this.found.place.length > before) this.sharedBlocks.push(block)
    this.blocks.end(block)
  }

  /** Ends the places of a range, of a block that is given back or of any. Gives the blocks in which there are shared ones. */
  private flush(from: number, to: number, freed: Block | undefined): Set<Block> {
    const blocks = new Set<Block>()
    let twin = -1
    let twinEnd = -1
    this.granules.walk(from, to, (g, address) => {
      const state = this.state[g]!
      if (state === 0) return
      if (state >>> 16 === SEVERAL) {
        const plain = (state >>> 8) & 0xff
        const isCopied = plain === 0
        const isTwin = isCopied && twin === this.history[g] && twinEnd === address
        if (isCopied) {
          twin = this.history[g]!
          twinEnd = address + 8
        }
        const joins = isCopied ? 0x7f : this.joins[g]!
        const starts = isTwin ? 0 : this.startsOf(g, joins, isCopied ? 0xff : plain)
        if (starts !== 0) {
          this.found.place.push(this.number[g]!)
          this.found.shape.push((joins << 8) | starts)
          const block = freed ?? this.blocks.holding(address)
          this.found.block.push(block ? block.number : NO_BLOCK)
          if (block) blocks.add(block)
        }
        this.bytesOwners.remove(this.several[g]!)
      }
      this.state[g] = 0
    })
    return blocks
  }

  /** Where the locations begin that two threads touch and one writes. */
  private startsOf(g: number, joins: number, wanted: number): number {
    let starts = 0
    for (let left = wanted; left !== 0;) {
      const part = partOf(joins, lowest(left))
      left &= ~part
      if ((this.state[g]! & part) !== 0 && this.bytesOwners.areSeveral(this.several[g]!, part)) starts |= part & -part
    }
    return starts
  }

  private widen(): void {
    const size = Math.max(this.granules.size, this.state.length * 2, 1024)
    const longer = <A extends Uint8Array | Uint32Array | Int32Array>(old: A, fresh: A): A => {
      fresh.set(old)
      return fresh
    }
    this.state = longer(this.state, new Uint32Array(size))
    this.touched = longer(this.touched, new Uint8Array(size))
    this.joins = longer(this.joins, new Uint8Array(size))
    this.several = longer(this.several, new Int32Array(size))
    this.number = longer(this.number, new Uint32Array(size))
    this.history = longer(this.history, new Uint32Array(size))
  }
}
