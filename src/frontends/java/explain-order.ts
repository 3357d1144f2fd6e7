/**
 * An order for records that have only the order within each thread (`--order task`): one in which every read sees what was written, locks exclude
 * each other, and every wait ends after what it waits for. Seed 003 (GPredict, section 3) asks a solver for all such orders at once; one is enough to
 * begin with, and is searched greedily: explained reads first, then events that nothing depends on, then writes that a read waits for. If nothing
 * fits, the thread with the earliest record continues, and that is counted. The engine uses the order within threads, and values: any order that
 * explains them is as good as the real one.
 */
import { PairNumbers } from '../../base/pair-numbers.ts'
import type { Visitor } from '../threads/order.ts'
import { KIND } from './kinds.ts'
import type { JavaThread } from './raw.ts'

const NONE = -1

/** How soon a record may come: not yet; if nothing else can, as a read of what may have been there at the begin or be written later; before that, as what writes; at once. */
const NOT = 0
const LAST = 1
const LATE = 2
const NOW = 3

const WRITES = new Set<number>([KIND.WRITE, KIND.ATOMIC_WRITE])

const mixed = (words: Uint32Array, at: number): number => (words[at]! ^ Math.imul(words[at + 1]!, 0x9e3779b1)) >>> 0

export class ExplainedOrder {
  /** Records that came although nothing explains them. */
  unexplained = 0
  private readonly cells = new PairNumbers()
  /** Per cell: is its value known, and its two words. */
  private readonly known: number[] = []
  private readonly low: number[] = []
  private readonly high: number[] = []
  /** Cells, and what some thread writes there. */
  private readonly written = new PairNumbers()
  private readonly owner = new Map<number, { task: number; depth: number; readers: number }>()
  private readonly counts = new Map<string, number>()
  /** What somebody gives. Of the rest nobody saw it. */
  private readonly given = new Set<string>()
  private readonly begun = new Set<number>([0])
  private readonly ended = new Set<number>()
  private readonly waits: { since: number; lock: number; depth: number }[] = []
  /** Of a condition its lock, which is another object. */
  private readonly lockOf = new Map<number, number>()
  private readonly told = new Map<number, number>()
  private clock = 0

  constructor(
    private readonly threads: readonly JavaThread[],
    private readonly idOf: (task: number) => number,
  ) {}

  /** What is written. And who will be woken from a wait with which lock, and how often: a notification that comes too early is lost. */
  private lookAhead(): void {
    for (const thread of this.threads) {
      thread.rewind()
      let lock = NONE
      while (thread.advance()) {
        const at = thread.kind === KIND.ATOMIC_UPDATE ? thread.updatedAt : WRITES.has(thread.kind) ? thread.valueAt : NONE
        // What a field has at the begin is most often zero.
        if (at >= 0 && (thread.words[at] !== 0 || thread.words[at + 1] !== 0))
          this.written.of(this.cells.of(thread.object, thread.field), mixed(thread.words, at))
        // Of a phase everybody is waited for.
        if (thread.kind === KIND.LATCH_DOWN && thread.field > 0) this.add(`l${thread.object} ${thread.field}`, 1)
        if (thread.kind === KIND.GIVE) this.given.add(givenKey(thread))
        if (thread.kind === KIND.ALIAS) this.lockOf.set(thread.object, thread.field)
        if (thread.kind === KIND.WAIT) lock = this.lockOf.get(thread.object) ?? thread.object
        if (thread.kind === KIND.WOKEN) this.add(`w${lock} ${thread.task}`, 1)
        if (thread.kind === KIND.WOKEN) this.add(`w${lock}`, 1)
      }
    }
  }

  /** The number of the thread of each record, in order. */
  walk(): Int32Array {
    const order: number[] = []
    const { threads } = this
    this.lookAhead()
    const more = threads.map((thread) => {
      thread.rewind()
      return thread.advance()
    })
    let left = more.filter(Boolean).length
    let last = NONE
    while (left > 0) {
      const task = this.next(more, last)
      const thread = threads[task]!
      this.take(thread)
      order.push(task)
      last = task
      if (!thread.advance()) {
        more[task] = false
        left--
      }
    }
    return Int32Array.from(order)
  }

  /** The thread at hand as long as it may; else the first that may; else one that writes. */
  private next(more: readonly boolean[], last: number): number {
    if (last !== NONE && more[last] && this.may(this.threads[last]!) === NOW) return last
    let late = NONE
    let later = NONE
    let first = NONE
    for (let task = 0; task < more.length; task++) {
      if (!more[task]) continue
      const thread = this.threads[task]!
      const may = this.may(thread)
      if (may === NOW) return task
      if (may === LATE && (late === NONE || (this.isAwaited(thread, more) && !this.isAwaited(this.threads[late]!, more)))) late = task
      if (may === LAST && later === NONE) later = task
      if (first === NONE || thread.stamp < this.threads[first]!.stamp) first = task
    }
    if (late !== NONE || later !== NONE) return late !== NONE ? late : later
    this.unexplained++
    return first
  }

  /** Does another thread stand before a read of just this? */
  private isAwaited(writer: JavaThread, more: readonly boolean[]): boolean {
    return this.threads.some(
      (thread, task) =>
        more[task] &&
        thread !== writer &&
        (thread.kind === KIND.READ || thread.kind === KIND.ATOMIC_READ || thread.kind === KIND.ATOMIC_UPDATE) &&
        thread.object === writer.object &&
        thread.field === writer.field &&
        thread.words[thread.valueAt] === writer.words[writer.valueAt] &&
        thread.words[thread.valueAt + 1] === writer.words[writer.valueAt + 1],
    )
  }

  private may(thread: JavaThread): number {
    const { kind, object, field, task } = thread
    switch (kind) {
      case KIND.READ:
      case KIND.ATOMIC_READ:
        return this.fits(thread, NOW)
      case KIND.ATOMIC_UPDATE:
        return this.fits(thread, LATE)
      case KIND.WRITE:
      case KIND.ATOMIC_WRITE:
      case KIND.CHANGE:
      case KIND.CHANGE_ATOMIC:
        return LATE
      case KIND.BEGIN:
        return this.begun.has(this.idOf(task)) ? NOW : NOT
      case KIND.JOIN:
        return this.ended.has(object) ? NOW : NOT
      case KIND.LOCK:
        if (!this.isFree(object, task, true)) return NOT
        return this.count(`w${object}`) > 0 && this.count(`w${object} ${task}`) === 0 ? LATE : NOW
      case KIND.LOCK_SHARED:
        return this.isFree(object, task, false) ? NOW : NOT
      case KIND.WOKEN:
        return (this.told.get(object) ?? 0) > (this.waits[task]?.since ?? 0) && this.isFree(this.waits[task]?.lock ?? object, task, true)
          ? NOW
          : NOT
      case KIND.TIMED_OUT:
        return this.isFree(this.waits[task]?.lock ?? object, task, true) ? LATE : NOT
      case KIND.SEM_WAIT:
        return this.count(`s${object}`) >= thread.value ? NOW : NOT
      case KIND.LATCH_AWAIT:
        return this.count(`l${object} ${field}`) <= 0 ? NOW : NOT
      case KIND.BARRIER_LEAVE:
        return this.count(`b${object}`) >= this.count(`n${object}`) * this.count(`p${task} ${object}`) ? NOW : NOT
      case KIND.GET:
        return this.count(givenKey(thread)) > 0 || !this.given.has(givenKey(thread)) ? NOW : NOT
      case KIND.PARK:
        // It may have been its time, or nothing at all.
        return this.count(`u${object}`) > 0 ? NOW : LAST
      case KIND.ONCE_SEEN:
        return this.count(`o${field}`) > 0 ? NOW : NOT
      default:
        return NOW
    }
  }

  private take(thread: JavaThread): void {
    const { kind, object, field, task, valueAt } = thread
    this.clock++
    switch (kind) {
      case KIND.READ:
      case KIND.ATOMIC_READ:
      case KIND.WRITE:
      case KIND.ATOMIC_WRITE:
        this.set(thread, valueAt)
        return
      case KIND.ATOMIC_UPDATE:
        if (thread.updatedAt >= 0) this.set(thread, thread.updatedAt)
        return
      case KIND.CREATE:
        this.begun.add(object)
        return
      case KIND.END:
        this.ended.add(this.idOf(task))
        return
      case KIND.LOCK:
        this.lock(object, task, 1)
        return
      case KIND.UNLOCK:
        this.lock(object, task, -1)
        return
      case KIND.LOCK_SHARED:
      case KIND.UNLOCK_SHARED:
        this.held(object).readers += kind === KIND.LOCK_SHARED ? 1 : -1
        return
      case KIND.WAIT: {
        const lock = this.lockOf.get(object) ?? object
        const held = this.held(lock)
        this.waits[task] = { since: this.clock, lock, depth: held.task === task ? held.depth : 0 }
        this.add(`w${lock} ${task}`, -1)
        this.add(`w${lock}`, -1)
        if (held.task === task) held.depth = 0
        return
      }
      case KIND.WOKEN:
      case KIND.TIMED_OUT:
        if (this.waits[task]?.depth) this.lock(this.waits[task].lock, task, this.waits[task].depth)
        delete this.waits[task]
        return
      case KIND.SIGNAL:
      case KIND.BROADCAST:
        this.told.set(object, this.clock)
        return
      case KIND.PERMITS:
        this.add(field === 1 ? `l${object} 0` : `s${object}`, thread.value)
        return
      case KIND.SEM_POST:
      case KIND.SEM_WAIT:
        this.add(`s${object}`, kind === KIND.SEM_POST ? thread.value : -thread.value)
        return
      case KIND.LATCH_DOWN:
        this.add(`l${object} ${field}`, -1)
        return
      case KIND.BARRIER_ARRIVE:
        this.add(`b${object}`, 1)
        this.add(`p${task} ${object}`, 1)
        this.counts.set(`n${object}`, thread.value)
        return
      case KIND.GIVE:
        this.add(givenKey(thread), field === 0 ? 1 : Infinity)
        return
      case KIND.GET:
        this.add(givenKey(thread), -1)
        return
      case KIND.UNPARK:
        this.counts.set(`u${object}`, 1)
        return
      case KIND.PARK:
        this.counts.set(`u${object}`, 0)
        return
      case KIND.ONCE_END:
        this.add(`o${field}`, 1)
        return
    }
  }

  private count(key: string): number {
    return this.counts.get(key) ?? 0
  }

  private add(key: string, by: number): void {
    const now = this.count(key) + by
    this.counts.set(key, Number.isNaN(now) ? Infinity : now)
  }

  private held(lock: number): { task: number; depth: number; readers: number } {
    let held = this.owner.get(lock)
    if (!held) this.owner.set(lock, (held = { task: NONE, depth: 0, readers: 0 }))
    return held
  }

  private isFree(lock: number, task: number, alone: boolean): boolean {
    const { task: owner, depth, readers } = this.held(lock)
    return (depth === 0 || owner === task) && (!alone || readers === 0 || owner === task)
  }

  private lock(lock: number, task: number, by: number): void {
    const held = this.held(lock)
    if (by > 0 && held.task !== task) held.depth = 0
    if (by > 0) held.task = task
    if (held.task === task) held.depth = Math.max(0, held.depth + by)
  }

  private fits({ object, field, words, valueAt }: JavaThread, soon: number): number {
    const cell = this.cells.of(object, field)
    if (this.known[cell]) return this.low[cell] === words[valueAt] && this.high[cell] === words[valueAt + 1] ? soon : NOT
    return this.written.find(cell, mixed(words, valueAt)) >= 0 ? LAST : soon
  }

  private set({ object, field, words }: JavaThread, at: number): void {
    const cell = this.cells.of(object, field)
    this.known[cell] = 1
    this.low[cell] = words[at]!
    this.high[cell] = words[at + 1]!
  }
}

const givenKey = ({ object, field, words, valueAt }: JavaThread): string =>
  field === 0 ? `q${object} ${words[valueAt]} ${words[valueAt + 1]}` : `g${object} ${field}`

/** The same walk again. */
export function inThisOrder(threads: readonly JavaThread[], order: Int32Array, visitor: Visitor<JavaThread>): void {
  for (const thread of threads) {
    thread.rewind()
    thread.advance()
  }
  for (const task of order) {
    visitor.visit(threads[task]!)
    threads[task]!.advance()
  }
}
