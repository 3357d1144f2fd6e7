/**
 * Mutexes, condition variables, semaphores, barriers, onces, descriptors and streams during a pass over the records. An object that is initialised at
 * the address of an earlier one is another object. Numbered in the order in which they are first seen, which is the same in every pass.
 */
import { isPair } from './channels.ts'
import type { Block, Blocks } from './blocks.ts'
import type { Stack, Stacks } from './stacks.ts'

export const LOCK = 0
export const CONDITION = 1
export const SEMAPHORE = 2
export const BARRIER = 3
export const ONCE = 4
export const DESCRIPTOR = 5
export const STREAM = 6
const CLASSES = 7

export interface SyncObject {
  readonly number: number
  readonly class: number
  /** Or the number of a descriptor. */
  readonly address: number
  /** The heap block it lies in. */
  readonly block: Block | undefined
  readonly stack: Stack | undefined
  /** Where it was made; 0 where that was not seen. */
  readonly pc: number
  /** How many there have been at this address, this one included. */
  readonly nth: number
  /** Who touched it first. */
  readonly task: number
  /** More than one thread touched it. */
  shared: boolean
  /** Of a descriptor: what it is, and the other end of the pipe. */
  what: number
  peer: SyncObject | undefined
  used: boolean
  ended: boolean
  /** Its stack belongs to another thread now. */
  gone: boolean
}

export class Objects {
  readonly all: SyncObject[] = []
  private readonly live = Array.from({ length: CLASSES }, () => new Map<number, SyncObject>())
  private readonly lastOpen: { object: SyncObject; what: number; step: number }[] = []
  private readonly inBlock = new Map<number, SyncObject[]>()

  constructor(
    private readonly blocks: Blocks,
    private readonly stacks: Stacks,
  ) {}

  use(kind: number, address: number, task: number): SyncObject {
    const known = this.live[kind]!.get(address)
    const object = known && !known.gone ? known : this.add(kind, address, task, 0, (known?.nth ?? 0) + 1)
    object.used = true
    if (object.task !== task) object.shared = true
    if (object.peer && (object.shared || object.peer.task !== task)) object.shared = object.peer.shared = true
    return object
  }

  /** It is initialised, or opened. */
  begin(kind: number, address: number, task: number, pc: number): SyncObject {
    const old = this.live[kind]!.get(address)
    if (!old) return this.add(kind, address, task, pc, 1)
    if (!old.used && !old.ended && !old.gone) return this.use(kind, address, task)
    return this.add(kind, address, task, pc, old.nth + 1)
  }

  /** Two descriptors of one call, one right after the other, are the ends of a pipe. */
  opened(object: SyncObject, what: number, step: number): void {
    object.what = what
    const last = this.lastOpen[object.task]
    if (last && isPair(what) && last.what === what && last.step === step - 1 && last.object.pc === object.pc && !last.object.peer) {
      object.peer = last.object
      last.object.peer = object
    }
    this.lastOpen[object.task] = { object, what, step }
  }

  /** It is destroyed, or closed: who uses it now uses what is gone. The next `begin` makes another one. */
  end(kind: number, address: number, task: number): SyncObject {
    const object = this.use(kind, address, task)
    object.ended = true
    return object
  }

  /** Objects in a block that is given back, which are no more. */
  blockEnds(block: Block): readonly SyncObject[] {
    const inside = this.inBlock.get(block.number) ?? []
    for (const object of inside) {
      const map = this.live[object.class]!
      if (map.get(object.address) === object) map.delete(object.address)
    }
    this.inBlock.delete(block.number)
    return inside
  }

  /** Another thread gets this stack: what was there is no more. */
  stackBegins(from: number, to: number): void {
    for (const map of this.live.slice(0, DESCRIPTOR)) {
      for (const [address, object] of map) if (address >= from && address < to) object.gone = true
    }
  }

  private add(kind: number, address: number, task: number, pc: number, nth: number): SyncObject {
    const block = kind < DESCRIPTOR ? this.blocks.holding(address) : undefined
    const stack = kind < DESCRIPTOR && !block ? this.stacks.at(address) : undefined
    const number = this.all.length
    const object: SyncObject = {
      number,
      class: kind,
      address,
      block,
      stack,
      pc,
      nth,
      task,
      shared: false,
      what: 0,
      peer: undefined,
      used: false,
      ended: false,
      gone: false,
    }
    this.all.push(object)
    this.live[kind]!.set(address, object)
    if (block) {
      const list = this.inBlock.get(block.number)
      if (list) list.push(object)
      else this.inBlock.set(block.number, [object])
    }
    return object
  }
}
