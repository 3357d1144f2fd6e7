/**
 * The first walk over the records: which places and objects threads share, what objects are, and what holds them. Places that one thread alone touches, or nobody writes, make
 * no events.
 */
import { GrowInt32 } from '../../base/grow.ts'
import { PairNumbers } from '../../base/pair-numbers.ts'
import type { Visitor } from '../threads/order.ts'
import { KIND } from './kinds.ts'
import type { JavaThread } from './raw.ts'

const SHARED = 1
const WRITTEN = 2
const NONE = -1

/** Per kind: 1 reads, 2 writes a place. */
const ACCESS = new Uint8Array(256)
for (const kind of [KIND.READ, KIND.ATOMIC_READ, KIND.LOOK, KIND.LOOK_ATOMIC]) ACCESS[kind] = 1
for (const kind of [KIND.WRITE, KIND.ATOMIC_WRITE, KIND.ATOMIC_UPDATE, KIND.CHANGE, KIND.CHANGE_ATOMIC]) ACCESS[kind] = 2

export const isAccess = (kind: number): boolean => ACCESS[kind] !== 0

/** Records about threads: their object is the number of one. */
const OF_THREADS = new Set<number>([KIND.CREATE, KIND.BEGIN, KIND.END, KIND.JOIN, KIND.PARK, KIND.UNPARK])

export class Survey implements Visitor<JavaThread> {
  readonly places = new PairNumbers()
  /** Per place: object and field. */
  readonly objectOf = new GrowInt32()
  readonly fieldOf = new GrowInt32()
  /** Object to its class, the field that holds it, the lock that a condition belongs to. */
  readonly classOf = new Map<number, number>()
  readonly heldBy = new Map<number, number>()
  readonly lockOf = new Map<number, number>()
  /** Threads that were made. */
  created = 0
  records = 0
  private readonly owner = new GrowInt32()
  private readonly flags = new GrowInt32()
  private readonly meets = new Map<number, number>()
  private readonly waited = new Set<number>()

  visit(thread: JavaThread): void {
    const { kind, object, field, task } = thread
    this.records++
    if (ACCESS[kind] !== 0) {
      this.touch(object, field, task, ACCESS[kind] === 2)
      return
    }
    switch (kind) {
      case KIND.OBJECT:
        this.classOf.set(object, field)
        return
      case KIND.HELD:
        this.heldBy.set(object, field)
        return
      case KIND.ALIAS:
        this.lockOf.set(object, field)
        return
      case KIND.CREATE:
        this.created++
        return
      case KIND.WAIT:
        this.waited.add(this.lockOf.get(object) ?? object)
    }
    if (kind < KIND.INFO && !OF_THREADS.has(kind)) this.meet(keyOf(kind, object, field), task)
  }

  /** Do threads share it, and does one of them write? */
  matters(place: number): boolean {
    return this.flags.at(place) === (SHARED | WRITTEN)
  }

  /** Does more than one thread have to do with this lock, queue, latch …? */
  isShared(kind: number, object: number, field: number): boolean {
    return this.waited.has(object) || this.meets.get(keyOf(kind, object, field)) === NONE
  }

  private touch(object: number, field: number, task: number, writes: boolean): void {
    const place = this.places.of(object, field)
    if (place === this.objectOf.length) {
      this.objectOf.push(object | 0)
      this.fieldOf.push(field | 0)
      this.owner.push(task)
      this.flags.push(0)
    }
    let flags = this.flags.at(place)
    if (this.owner.at(place) !== task) flags |= SHARED
    if (writes) flags |= WRITTEN
    this.flags.set(place, flags)
  }

  private meet(key: number, task: number): void {
    const first = this.meets.get(key)
    if (first === undefined) this.meets.set(key, task)
    else if (first !== task) this.meets.set(key, NONE)
  }
}

/** Classes are numbered apart from objects. */
const keyOf = (kind: number, object: number, field: number): number =>
  kind === KIND.ONCE_BEGIN || kind === KIND.ONCE_END || kind === KIND.ONCE_SEEN ? -1 - field : object
