/**
 * Events for mutexes, condition variables, semaphores, barriers, onces, descriptors and streams (docs/native-format.md has the records). Objects that
 * only one thread uses have none.
 */
import type { Names } from '../../base/names.ts'
import { NOTIFY, NOTIFY_ALL, WAKE } from '../../trace/ops.ts'
import type { Values } from '../../trace/values.ts'
import type { Block } from './blocks.ts'
import { Channels } from './channels.ts'
import { Held } from '../threads/held.ts'
import { TIMED, TRIED } from '../../trace/asked.ts'
import { BARRIER, CONDITION, LOCK, ONCE, SEMAPHORE, type Objects, type SyncObject } from './objects.ts'
import type { Output } from '../threads/output.ts'
import { KIND } from './kinds.ts'
import type { RawThread } from './raw.ts'
import { isTimedWait, mutexOf } from './uses.ts'
import { Signals } from '../threads/signals.ts'

/** A semaphore may start with more; nobody notices. */
const MOST_POSTS = 64
const NONE = -1
/** The value of a record of a lock: what was asked for, and how (docs/native-format.md). */
const WHAT = 15
const READER = 3
const HOW = 4
const ONCE_ONLY = 1

export interface EmitTables {
  readonly locks: Names
  readonly signals: Names
  readonly names: Names
  readonly values: Values
  /** Names of objects, without a word for what they are. */
  readonly nameOf: (object: SyncObject) => string
  readonly nameOfBlock: (block: Block) => string
}

const FILE_WORD: Record<number, string> = {
  [KIND.OPEN]: 'descriptor.open',
  [KIND.CLOSE]: 'descriptor.close',
  [KIND.FD_READ]: 'descriptor.read',
  [KIND.FD_WRITE]: 'descriptor.write',
  [KIND.STREAM_OPEN]: 'stream.open',
  [KIND.STREAM_CLOSE]: 'stream.close',
  [KIND.STREAM_READ]: 'stream.read',
  [KIND.STREAM_WRITE]: 'stream.write',
}

/** Uses of an object that are uses of the heap block it lies in. */
const USES = new Set<number>([
  KIND.LOCK,
  KIND.UNLOCK,
  KIND.LOCK_SHARED,
  KIND.UNLOCK_SHARED,
  KIND.WAIT,
  KIND.SIGNAL,
  KIND.BROADCAST,
  KIND.SEM_POST,
  KIND.BARRIER_ARRIVE,
  KIND.ONCE_BEGIN,
  KIND.ONCE_END,
  KIND.ONCE_SEEN,
])

interface Round {
  readonly number: number
  readonly arrived: { readonly task: number; readonly signal: number }[]
}

export class ObjectEvents {
  readonly held: Held
  /** Wake-ups that nobody caused. */
  unexplained = 0
  private readonly signals = new Signals()
  private readonly channels: Channels
  private readonly locks = new Map<number, number>()
  /** Semaphores with more to begin with than is written. */
  private readonly large = new Set<number>()
  private readonly waits: { since: number; lock: SyncObject; released: boolean }[] = []
  private readonly rounds = new Map<number, Round>()
  private readonly roundOf = new Map<string, Round>()

  /** `surveyed`: the same objects as the first walk left them, which knows which are shared. */
  constructor(
    private readonly output: Output,
    private readonly tables: EmitTables,
    private readonly objects: Objects,
    private readonly surveyed: readonly SyncObject[],
    private readonly isSharedBlock: (block: Block) => boolean,
  ) {
    this.held = new Held(output, tables.names, (lock) => tables.values.codeOf(tables.locks.at(lock)))
    this.channels = new Channels((name) => tables.signals.intern(name))
  }

  use(thread: RawThread, object: SyncObject): void {
    const { task, kind } = thread
    const { output, tables } = this
    if (kind === KIND.WAIT || kind === KIND.WOKEN || kind === KIND.TIMED_OUT) {
      this.wait(thread, object)
      return
    }
    // One that only this thread uses matters where somebody else gives its memory back.
    if (!this.surveyed[object.number]!.shared && !(object.block && this.isSharedBlock(object.block))) return
    if (kind === KIND.LOCK || kind === KIND.LOCK_SHARED) this.asks(thread, object)
    this.useOfBlock(kind, object)
    const file = FILE_WORD[kind]
    if (file !== undefined) {
      output.call(file, tables.values.codeOf({ object: tables.nameOf(object) }))
      this.channel(thread, object)
      return
    }
    switch (kind) {
      case KIND.LOCK:
        this.held.acquire(task, this.lock(object))
        return
      case KIND.LOCK_SHARED:
        this.held.acquireShared(task, this.lock(object))
        return
      case KIND.UNLOCK:
      case KIND.UNLOCK_SHARED:
        this.held.release(task, this.lock(object))
        return
      case KIND.LOCK_INIT:
        output.call('lock.init', tables.values.codeOf(nameIn(tables, object)))
        return
      case KIND.LOCK_DESTROY:
        output.call('lock.destroy', tables.values.codeOf(nameIn(tables, object)))
        return
      case KIND.TRY_FAILED:
        this.held.fails(task, this.lock(object), (thread.value & WHAT) === READER)
        return
      case KIND.SIGNAL:
      case KIND.BROADCAST:
        output.put(kind === KIND.SIGNAL ? NOTIFY : NOTIFY_ALL, this.signal(object))
        this.signals.notified(object.number, output.now, kind === KIND.BROADCAST)
        return
      case KIND.SEM_INIT: {
        const posts = Math.min(thread.value, MOST_POSTS)
        output.call('semaphore.init', tables.values.codeOf(nameIn(tables, object)))
        for (let i = 0; i < posts; i++) output.put(NOTIFY, this.signal(object))
        this.signals.post(object.number, posts)
        if (thread.value > posts) this.large.add(object.number)
        return
      }
      case KIND.SEM_POST:
        output.put(NOTIFY, this.signal(object))
        this.signals.post(object.number, 1)
        return
      case KIND.SEM_WAIT:
        if (thread.value !== 0) output.call(thread.value === ONCE_ONLY ? TRIED : TIMED)
        if (this.signals.passes(object.number)) this.wake(this.signal(object))
        else if (!this.large.has(object.number)) this.unexplained++
        return
      case KIND.SEM_FAILED:
        output.call('sem failed', tables.values.codeOf(nameIn(tables, object)))
        return
      case KIND.BARRIER_ARRIVE:
        this.arrive(thread, object)
        return
      case KIND.BARRIER_LEAVE:
        this.leave(thread, object)
        return
      case KIND.ONCE_BEGIN:
        this.held.acquire(task, this.lock(object))
        return
      case KIND.ONCE_END:
        this.held.release(task, this.lock(object))
        output.put(NOTIFY_ALL, this.signal(object))
        this.signals.post(object.number, Infinity)
        return
      case KIND.ONCE_SEEN:
        if (this.signals.passes(object.number)) this.wake(this.signal(object))
        return
    }
  }

  /** Says how the lock was asked for where that was not to wait as long as it takes. */
  private asks({ task, value }: RawThread, object: SyncObject): void {
    const how = value >>> HOW
    if (how !== 0) this.held.asks(task, this.lock(object), how === ONCE_ONLY ? TRIED : TIMED)
  }

  private wait(thread: RawThread, condition: SyncObject): void {
    const { task, kind } = thread
    const { output } = this
    if (kind === KIND.WAIT) {
      const lock = this.objects.use(LOCK, mutexOf(thread), task)
      this.useOfBlock(kind, condition)
      if (isTimedWait(thread)) output.call(TIMED)
      const released = this.held.release(task, this.lock(lock))
      this.signals.waits(condition.number)
      this.waits[task] = { since: output.now, lock, released }
      return
    }
    const wait = this.waits[task]
    if (!wait) return
    delete this.waits[task]
    const isWoken = this.signals.wakes(condition.number, wait.since, kind === KIND.TIMED_OUT || !wait.released)
    if (isWoken) output.put(WAKE, this.signal(condition))
    else output.call('timed out', this.tables.values.codeOf(nameIn(this.tables, condition)))
    if (kind === KIND.WOKEN && !isWoken) this.unexplained++
    if (wait.released) this.held.acquire(task, this.lock(wait.lock))
  }

  private arrive(thread: RawThread, barrier: SyncObject): void {
    let round = this.rounds.get(barrier.number)
    if (!round) this.rounds.set(barrier.number, (round = { number: 1, arrived: [] }))
    const name = `${nameIn(this.tables, barrier)} #${round.number}.${round.arrived.length + 1}`
    const signal = this.tables.signals.intern(name)
    round.arrived.push({ task: thread.task, signal })
    this.roundOf.set(`${thread.task} ${barrier.number}`, round)
    this.output.put(NOTIFY_ALL, signal)
    if (round.arrived.length >= thread.value) this.rounds.set(barrier.number, { number: round.number + 1, arrived: [] })
  }

  private leave(thread: RawThread, barrier: SyncObject): void {
    const round = this.roundOf.get(`${thread.task} ${barrier.number}`)
    for (const { task, signal } of round?.arrived ?? []) if (task !== thread.task) this.wake(signal)
  }

  private channel({ kind, value }: RawThread, object: SyncObject): void {
    let signal = NONE
    if (kind === KIND.FD_READ) for (const one of this.channels.read(object, value)) this.wake(one)
    else if (kind === KIND.FD_WRITE) signal = this.channels.write(object, value, this.tables.nameOf)
    else if (kind === KIND.CLOSE) signal = this.channels.close(object, this.tables.nameOf)
    if (signal !== NONE) this.output.put(NOTIFY_ALL, signal)
  }

  private wake(signal: number): void {
    if (this.output.afterRelease) this.output.call('listen')
    this.output.put(WAKE, signal)
  }

  /** Using what lies in a heap block that somebody else may give back. */
  private useOfBlock(kind: number, object: SyncObject): void {
    if (!object.block || !USES.has(kind)) return
    if (this.isSharedBlock(object.block))
      this.output.call('pointer.use', this.tables.values.codeOf({ object: this.tables.nameOfBlock(object.block) }))
  }

  private lock(object: SyncObject): number {
    let lock = this.locks.get(object.number)
    if (lock === undefined) this.locks.set(object.number, (lock = this.tables.locks.intern(nameIn(this.tables, object))))
    return lock
  }

  private signal(object: SyncObject): number {
    return this.tables.signals.intern(nameIn(this.tables, object))
  }
}

const WORD: Record<number, string> = { [SEMAPHORE]: 'semaphore ', [BARRIER]: 'barrier ', [ONCE]: 'once ', [CONDITION]: '', [LOCK]: '' }

const nameIn = (tables: EmitTables, object: SyncObject): string => (WORD[object.class] ?? '') + tables.nameOf(object)
