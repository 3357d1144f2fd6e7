/**
 * Events for monitors and locks, waits, semaphores, latches, barriers, hand-overs and class initialisation (docs/java-format.md has the records).
 * Objects that only one thread uses have none.
 */
import type { Names } from '../../base/names.ts'
import { NOTIFY, NOTIFY_ALL, WAKE } from '../../trace/ops.ts'
import { Held } from '../threads/held.ts'
import type { Values } from '../../trace/values.ts'
import type { Output } from '../threads/output.ts'
import { Signals } from '../threads/signals.ts'
import { KIND } from './kinds.ts'
import type { JavaNames } from './names.ts'
import type { JavaThread } from './raw.ts'
import type { Survey } from './survey.ts'

/** A semaphore may start with more; nobody notices. */
const MOST_PERMITS = 64
/** The second word of a record of `Object.wait`, which has the monitor of the object itself. */
const OF_MONITOR = 1
/** The field of a record of permits: it is the count of a latch. */
const OF_LATCH = 1
const TASK = 1
/** Permits of threads are counted beside those of semaphores. */
const PERMIT = -(2 ** 33)

interface Round {
  readonly number: number
  readonly arrived: { readonly task: number; readonly signal: number }[]
}

/** The field of a record of a latch that is the threads of a pool: whoever sees that the pool has ended waits for all of them. */
const WORKERS = 2 ** 31 - 1

const latchWord = (field: number): string => (field === 0 ? 'latch' : field === WORKERS ? 'threads of' : `phase ${field} of`)

/** A phase of a Phaser is a latch; its field is one more than its number. */
const latchKey = ({ object, field }: JavaThread): string => `${object} ${field}`

export interface MeetingTables {
  readonly locks: Names
  readonly signals: Names
  readonly names: Names
  readonly values: Values
}

export class Meetings {
  readonly held: Held
  /** Wake-ups that nobody caused. */
  unexplained = 0
  private readonly signals = new Signals()
  private readonly large = new Set<number>()
  private readonly waits: { since: number; lock: number; released: boolean }[] = []
  private readonly rounds = new Map<number, Round>()
  private readonly roundOf = new Map<string, Round>()
  private readonly latches = new Map<string, number[]>()
  private readonly given = new Map<string, number[]>()
  private readonly counts = new Map<number, number>()

  constructor(
    private readonly output: Output,
    private readonly tables: MeetingTables,
    private readonly survey: Survey,
    private readonly names: JavaNames,
    private readonly taskOf: (id: number) => number,
  ) {
    this.held = new Held(output, tables.names, (lock) => tables.values.codeOf(tables.locks.at(lock)))
  }

  use(thread: JavaThread): void {
    const { task, kind, object, field } = thread
    const { output } = this
    if (kind === KIND.WAIT || kind === KIND.WOKEN || kind === KIND.TIMED_OUT) {
      this.wait(thread)
      return
    }
    if (kind === KIND.PARK || kind === KIND.UNPARK) {
      this.permit(thread)
      return
    }
    if (!this.survey.isShared(kind, object, field)) return
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
      case KIND.TRY_FAILED:
        output.call('try failed')
        return
      case KIND.SIGNAL:
      case KIND.BROADCAST:
        output.put(kind === KIND.SIGNAL ? NOTIFY : NOTIFY_ALL, this.signal('', object))
        this.signals.notified(object, output.now, kind === KIND.BROADCAST)
        return
      case KIND.PERMITS: {
        if (field === OF_LATCH || this.survey.isLock(object)) return
        const permits = Math.min(thread.value, MOST_PERMITS)
        for (let i = 0; i < permits; i++) output.put(NOTIFY, this.signal('semaphore ', object))
        this.signals.post(object, permits)
        if (thread.value > permits) this.large.add(object)
        return
      }
      case KIND.SEM_POST:
        if (this.survey.isLock(object)) {
          this.held.release(task, this.semaphore(object))
          return
        }
        for (let i = 0; i < Math.min(thread.value, MOST_PERMITS); i++) output.put(NOTIFY, this.signal('semaphore ', object))
        this.signals.post(object, thread.value)
        return
      case KIND.SEM_WAIT:
        if (this.survey.isLock(object)) {
          this.held.acquire(task, this.semaphore(object))
          return
        }
        for (let i = 0; i < Math.min(thread.value, MOST_PERMITS); i++) {
          if (this.signals.passes(object)) this.wake(this.signal('semaphore ', object))
          else if (!this.large.has(object)) this.unexplained++
        }
        return
      case KIND.SEM_FAILED:
        output.call('sem failed')
        return
      case KIND.BARRIER_ARRIVE:
        this.arrive(thread)
        return
      case KIND.BARRIER_LEAVE:
        for (const { task: other, signal } of this.roundOf.get(`${task} ${object}`)?.arrived ?? []) if (other !== task) this.wake(signal)
        return
      case KIND.LATCH_DOWN: {
        const key = latchKey(thread)
        const downs = this.latches.get(key) ?? []
        // Nobody waits for who counts down an open latch.
        if (field === 0 && downs.length >= (this.survey.latches.get(object) ?? Infinity)) return
        const signal = this.tables.signals.intern(`${latchWord(field)} ${this.names.object(object)} #${downs.length + 1}`)
        this.latches.set(key, [...downs, signal])
        output.put(NOTIFY_ALL, signal)
        return
      }
      case KIND.LATCH_AWAIT:
        for (const signal of this.latches.get(latchKey(thread)) ?? []) this.wake(signal)
        return
      case KIND.GIVE:
      case KIND.GET:
        this.handOver(thread)
        return
      case KIND.ONCE_BEGIN:
        this.held.acquire(task, this.tables.locks.intern(this.once(field)))
        return
      case KIND.ONCE_END:
        this.held.release(task, this.tables.locks.intern(this.once(field)))
        output.put(NOTIFY_ALL, this.tables.signals.intern(this.once(field)))
        this.signals.post(-1 - field, Infinity)
        return
      case KIND.ONCE_SEEN:
        if (this.signals.passes(-1 - field)) this.wake(this.tables.signals.intern(this.once(field)))
    }
  }

  private wait(thread: JavaThread): void {
    const { task, kind, object, value } = thread
    const { output } = this
    if (kind === KIND.WAIT) {
      const lock = value === OF_MONITOR ? object : (this.survey.lockOf.get(object) ?? object)
      const released = this.held.release(task, this.lock(lock))
      this.signals.waits(object)
      this.waits[task] = { since: output.now, lock, released }
      return
    }
    const wait = this.waits[task]
    if (!wait) return
    delete this.waits[task]
    const isWoken = this.signals.wakes(object, wait.since, kind === KIND.TIMED_OUT || !wait.released)
    if (isWoken) output.put(WAKE, this.signal('', object))
    else output.call('timed out')
    if (kind === KIND.WOKEN && !isWoken) this.unexplained++
    if (wait.released) this.held.acquire(task, this.lock(wait.lock))
  }

  private permit({ kind, object }: JavaThread): void {
    const of = this.taskOf(object)
    if (of < 0) return
    const signal = this.tables.signals.intern(`permit of thread ${of}`)
    if (kind === KIND.UNPARK) {
      this.output.put(NOTIFY, signal)
      this.signals.post(PERMIT - of, 1)
    } else if (this.signals.passes(PERMIT - of)) this.wake(signal)
  }

  private arrive({ task, object, value }: JavaThread): void {
    let round = this.rounds.get(object)
    if (!round) this.rounds.set(object, (round = { number: 1, arrived: [] }))
    const signal = this.tables.signals.intern(`barrier ${this.names.object(object)} #${round.number}.${round.arrived.length + 1}`)
    round.arrived.push({ task, signal })
    this.roundOf.set(`${task} ${object}`, round)
    this.output.put(NOTIFY_ALL, signal)
    if (round.arrived.length >= value) this.rounds.set(object, { number: round.number + 1, arrived: [] })
  }

  /** Of a queue: an item; of a task or a result: itself. Who gets it sees what was done before it was given. */
  private handOver(thread: JavaThread): void {
    const { kind, object, field, words, valueAt } = thread
    const isItem = field === 0
    const key = isItem ? `${object} ${words[valueAt]} ${words[valueAt + 1]}` : `${object} ${field === TASK ? 'task' : 'result'}`
    const waiting = this.given.get(key) ?? []
    if (kind === KIND.GIVE) {
      const nth = (this.counts.get(object) ?? 0) + 1
      if (isItem) this.counts.set(object, nth)
      const word = isItem ? 'queue' : field === TASK ? 'task' : 'result'
      const signal = this.tables.signals.intern(`${word} ${this.names.object(object)}${isItem ? ` #${nth}` : ''}`)
      this.given.set(key, isItem ? [...waiting, signal] : [signal])
      this.output.put(NOTIFY_ALL, signal)
      return
    }
    const signal = isItem ? waiting.shift() : waiting[0]
    if (signal !== undefined) this.wake(signal)
  }

  private wake(signal: number): void {
    if (this.output.afterRelease) this.output.call('listen')
    this.output.put(WAKE, signal)
  }

  private once(type: number): string {
    return `once ${this.names.type(type)}`
  }

  private lock(object: number): number {
    return this.tables.locks.intern(this.names.object(object))
  }

  private semaphore(object: number): number {
    return this.tables.locks.intern(`semaphore ${this.names.object(object)}`)
  }

  private signal(word: string, object: number): number {
    return this.tables.signals.intern(word + this.names.object(object))
  }
}
