/**
 * The first pass over the records: which locations and objects threads share, what the objects are, and which fields refer to them. Locations that
 * only one thread accesses, or nobody writes, make no events.
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
const OF_THREADS = new Set<number>([KIND.CREATE, KIND.BEGIN, KIND.END, KIND.JOIN, KIND.PARK, KIND.UNPARK, KIND.INTERRUPT, KIND.INTERRUPTED])

/** Places that are no fields: numbers that no object has. */
const PERMIT_OF = 0xa0000000
const INTERRUPT_OF = 0xc0000000
const CLASS_OF = 0xe0000000

/** Is a class initialised? Who uses it looks, and who initialises it writes. */
export const classPlace = (type: number): number => CLASS_OF + (type & 0xffffff)

/** The permit of a thread (LockSupport), or whether it was interrupted: a place of which its steps read, and which others write. */
export const threadPlace = (kind: number, id: number): number =>
  (kind === KIND.PARK || kind === KIND.UNPARK ? PERMIT_OF : INTERRUPT_OF) + (id & 0xffffff)

export const extraPlace = (object: number): { readonly word: 'permit' | 'interrupt' | 'class'; readonly id: number } | undefined =>
  object < PERMIT_OF
    ? undefined
    : { word: object < INTERRUPT_OF ? 'permit' : object < CLASS_OF ? 'interrupt' : 'class', id: object & 0xffffff }

export class Survey implements Visitor<JavaThread> {
  readonly places = new PairNumbers()
  /** Per place: object and field. */
  readonly objectOf = new GrowInt32()
  readonly fieldOf = new GrowInt32()
  /** Object to its class, the field that holds it, the lock that a condition belongs to. */
  readonly classOf = new Map<number, number>()
  readonly heldBy = new Map<number, number>()
  readonly lockOf = new Map<number, number>()
  /** What a latch counted from, when it was first seen. */
  readonly latches = new Map<number, number>()
  /** Threads that were made. */
  created = 0
  records = 0
  private readonly owner = new GrowInt32()
  private readonly flags = new GrowInt32()
  private readonly meets = new Map<number, number>()
  private readonly waited = new Set<number>()
  /** Per task: classes it initialises, one inside the other. */
  private readonly initialising: number[][] = []
  /** Semaphores: who has its one permit; undefined where it is no lock. */
  private readonly semaphores = new Map<number, number | undefined>()

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
        break
      case KIND.PERMITS:
        if (field === 1) this.latches.set(object, thread.value)
        else if (thread.value === 1 && !this.semaphores.has(object)) this.semaphores.set(object, NONE)
        else this.semaphores.set(object, undefined)
        return
      case KIND.SEM_WAIT:
        this.semaphores.set(object, thread.value === 1 && this.semaphores.get(object) === NONE ? task : undefined)
        break
      case KIND.SEM_POST:
        this.semaphores.set(object, thread.value === 1 && this.semaphores.get(object) === task ? NONE : undefined)
        break
      case KIND.GIVE:
      case KIND.GET:
        if (field === 0) this.touch(object, 0, task, true)
        break
      case KIND.TRY_FAILED:
        this.touch(object, 0, task, false)
        break
      case KIND.ONCE_BEGIN:
        // One that is initialised because another one is: who begins with the inner one may wait for the outer one.
        if ((this.initialising[task] ??= []).push(field) > 1) this.touch(classPlace(field), 0, task, true)
        break
      case KIND.ONCE_END:
        this.initialising[task]?.pop()
        break
      case KIND.ONCE_SEEN:
        if (this.places.find(classPlace(field), 0) >= 0) this.touch(classPlace(field), 0, task, false)
        break
      case KIND.PARK:
      case KIND.UNPARK:
      case KIND.INTERRUPT:
      case KIND.INTERRUPTED:
        this.touch(threadPlace(kind, object), 0, task, kind !== KIND.INTERRUPTED)
    }
    if (kind < KIND.INFO && !OF_THREADS.has(kind)) this.meet(keyOf(kind, object, field), task)
  }

  /** Do threads share it, and does one of them write? */
  matters(place: number): boolean {
    return this.flags.at(place) === (SHARED | WRITTEN)
  }

  /** Is it a semaphore with one permit, which who takes it gives back? */
  isLock(semaphore: number): boolean {
    return this.semaphores.get(semaphore) !== undefined
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
