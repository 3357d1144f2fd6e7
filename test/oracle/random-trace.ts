/**
 * Random small concurrent programs, run one event at a time. What is recorded is a real run: every event was possible where it stands,
 * so the recorded order is itself a feasible reordering (docs/model.md) unless an option below says otherwise. The same seed and
 * options give the same trace everywhere.
 */
import { Random } from '../../src/base/random.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_BEGIN,
  ATOMIC_END,
  ATOMIC_READ,
  ATOMIC_WRITE,
  BEGIN,
  BRANCH,
  END,
  ENTER,
  EXIT,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  READ,
  RELEASE,
  RELEASE_SHARED,
  REQUEST,
  TURN_BEGIN,
  TRY_FAILED,
  TRY_SHARED_FAILED,
  TURN_END,
  UPDATE,
  WAKE,
  WRITE,
  isAccess,
  isRead,
  isRelease,
} from '../../src/trace/ops.ts'
import { NOT_OBSERVED } from '../../src/trace/values.ts'
import { NONE, type OrderKind, type TaskId, type Trace } from '../../src/trace/trace.ts'

/** A number, or a range (both ends included) from which one is drawn. */
export type Amount = number | readonly [number, number]

export interface RandomTraceOptions {
  /** How many events, 4 to 14 unless said. Fewer come out when every task is blocked for good. */
  events?: Amount
  /** 2 to 4 unless said. Some may stay without events. */
  tasks?: Amount
  locations?: Amount
  locks?: Amount
  signals?: Amount
  /** How many different values are written, 0 among them; every location starts as 0. */
  values?: Amount
  sites?: Amount
  /**
   * Which values the trace shows. `some` hides a write together with the reads that saw it (and some reads alone), so that an observed
   * read always saw an observed write; `mixed` hides each on its own.
   */
  observed?: 'all' | 'some' | 'none' | 'mixed'
  /** `task`: stamps count inside each task, so that nothing of the global order is left in the trace. */
  order?: OrderKind
  /** Record branches (the trace then says so even when none happened). */
  branches?: boolean
  /** enter/exit and atomicBegin/atomicEnd. */
  regions?: boolean
  /** Waits, notifies and bare wakes. On unless false. */
  waits?: boolean
  /**
   * `shared`: the three events of a wait bear the stamp of the wake, as a recorder that logs a wait as one event would. The recorded
   * order then breaks the rules of locks and of waits: the notify stands before the release that it must follow.
   */
  waitStamps?: 'own' | 'shared'
  /** acqS/relS. On unless false. */
  shared?: boolean
  /** Let a task take a lock shared inside an exclusive section of its own, and the other way round. Off unless said. */
  mixedNesting?: boolean
  /** Atomic reads and writes and updates besides the plain ones, this often in ten accesses. None unless said. */
  atomics?: number
  /** Tries that fail. Off unless said. */
  tries?: boolean
  /** Waits that let go of a shared lock and do not take it back. Off unless said. */
  sharedWaits?: boolean
  /** turn and turnEnd. */
  turns?: boolean
  /** req events before some acquires, begin and end of some tasks. */
  extras?: boolean
}

const isExclusive = (held: Held): boolean => !held.modes.includes(true)

/** Runs longer than this avoid what would block them. */
const SHORT = 30

interface Held {
  lock: number
  /** Modes from the outermost in; true is shared. */
  modes: boolean[]
}

interface Task {
  id: TaskId
  state: 'unforked' | 'ready' | 'waiting' | 'notified' | 'reacquiring' | 'done'
  held: Held[]
  regions: { close: number; name: number }[]
  /** Of the wait under way. */
  lock: number
  signal: number
  released: number
  /** How many acquires follow the wake: as many as there were releases, or none. */
  reacquires: number
  lastOp: number
  inTurn: boolean
  events: number
}

interface Recorded {
  task: TaskId
  op: number
  target: number
  value: number
  site: number
  stamp: number
  /** For reads and writes: the index of the recorded write seen or made, NONE for the initial value. */
  source: number
}

export function randomTrace(seed: number, options: RandomTraceOptions = {}): Trace {
  return new Simulation(seed, options).run()
}

class Simulation {
  private readonly random: Random
  private readonly builder = new TraceBuilder()
  private readonly tasks: Task[] = []
  private readonly log: Recorded[] = []
  private readonly memory: { value: number; source: number }[] = []
  private readonly budget: number
  private readonly locks: number
  private readonly signals: number
  private readonly values: number
  private readonly sites: number
  /** Per signal: notifies nobody was waiting for, which bare wakes may still take, and whether a notifyAll was among them. */
  private readonly tokens: { count: number; all: boolean }[] = []
  /** What the program mostly does, so that small traces of every sort come up. */
  private readonly bent: 'memory' | 'locks' | 'waits'
  /** Sections are closed towards the end. */
  private readonly tidy: boolean

  constructor(
    seed: number,
    private readonly options: RandomTraceOptions,
  ) {
    this.random = new Random(Math.imul(seed + 1, 0x9e3779b1))
    this.budget = this.amount(options.events ?? [4, 14])
    const taskCount = this.amount(options.tasks ?? [2, 4])
    const locations = this.amount(options.locations ?? [1, 3])
    this.bent = this.random.pick(['memory', 'locks', 'waits'] as const)
    this.locks = this.amount(options.locks ?? (this.bent === 'memory' ? [0, 2] : [1, 2]))
    const signals = this.amount(options.signals ?? (this.bent === 'waits' ? 1 : [0, 1]))
    this.signals = options.waits === false || this.locks === 0 ? 0 : signals
    this.values = this.amount(options.values ?? [2, 3])
    this.sites = this.amount(options.sites ?? [3, 6])
    this.tidy = this.random.chance(0.6)
    for (let t = 0; t < taskCount; t++) {
      this.tasks.push({
        id: this.builder.task(`t${t + 1}`),
        state: 'unforked',
        held: [],
        regions: [],
        lock: NONE,
        signal: NONE,
        released: 0,
        reacquires: 0,
        lastOp: NONE,
        inTurn: false,
        events: 0,
      })
    }
    // One root that forks the rest, or several; the root is not always the first task.
    const roots = this.random.chance(0.6) ? 1 : 1 + this.random.below(taskCount)
    const rank = this.shuffled(this.tasks)
    for (const task of rank.slice(0, roots)) task.state = 'ready'
    for (let x = 0; x < locations; x++) {
      this.builder.locations.intern(String.fromCharCode(120 + (x % 3)) + (x < 3 ? '' : String(x)))
      this.memory.push({ value: 0, source: NONE })
    }
    for (let l = 0; l < this.locks; l++) this.builder.locks.intern(`l${l + 1}`)
    for (let g = 0; g < this.signals; g++) {
      this.builder.signals.intern(`g${g + 1}`)
      this.tokens.push({ count: 0, all: false })
    }
    for (let s = 0; s < this.sites; s++) this.builder.sites.intern(`site${s + 1}`)
  }

  run(): Trace {
    let idle = 0
    while (this.log.length < this.budget && idle < 200) {
      const before = this.log.length
      const able = this.tasks.filter((t) => this.canStep(t))
      if (able.length === 0) break
      const woken = able.filter((t) => t.state !== 'ready')
      this.step(this.random.pick(woken.length > 0 && this.random.chance(0.4) ? woken : able))
      idle = this.log.length === before ? idle + 1 : 0
    }
    return this.finish()
  }

  private canStep(task: Task): boolean {
    if (task.state === 'ready' || task.state === 'notified') return true
    return task.state === 'reacquiring' && this.lockFree(task, task.lock, false)
  }

  private step(task: Task): void {
    if (task.state === 'notified') return this.wake(task)
    if (task.state === 'reacquiring') {
      this.take(task, task.lock, false)
      if (--task.reacquires === 0) task.state = 'ready'
      if (this.options.waitStamps === 'shared') this.log[this.log.length - 1]!.stamp = this.lastStampOf(task, WAKE)
      return
    }
    if (task.events === 0 && this.options.extras && this.random.chance(0.3)) return this.emit(task, BEGIN)
    const left = this.budget - this.log.length
    const heldInAll = this.tasks.reduce((sum, t) => sum + t.held.reduce((n, h) => n + h.modes.length, 0), 0)
    if (this.tidy && task.held.length > 0 && left <= heldInAll) return this.release(task)
    this.random.pick(this.actions(task))(task)
  }

  /** What the task could try, each action as often as its weight. An action that turns out impossible does nothing. */
  private actions(task: Task): ((task: Task) => void)[] {
    const list: ((task: Task) => void)[] = []
    const add = (weight: number, action: (task: Task) => void): void => {
      for (let i = 0; i < weight; i++) list.push(action)
    }
    const unforked = this.tasks.some((t) => t.state === 'unforked')
    if (unforked) add(this.log.length < this.tasks.length ? 12 : 6, (t) => this.fork(t))
    const atomics = this.options.atomics ?? 0
    add(6, (t) => (this.isAtomic() ? this.read(t, ATOMIC_READ) : this.read(t)))
    add(6, (t) => (this.isAtomic() ? this.write(t, ATOMIC_WRITE) : this.write(t)))
    add(atomics, (t) => this.update(t))
    if (this.options.turns) add(2, (t) => this.turn(t))
    if (this.locks > 0) add((task.held.length < 2 ? 3 : 1) * (this.bent === 'memory' ? 1 : 3), (t) => this.acquire(t))
    if (this.options.tries) add(8, (t) => this.tryInVain(t))
    if (task.held.length > 0) add(this.bent === 'memory' ? 4 : 7, (t) => this.release(t))
    if (this.tasks.length > 1) add(1, (t) => this.join(t))
    if (this.signals > 0) {
      const often = this.bent === 'waits' ? 12 : 3
      if (task.held.some((h) => this.canWaitWith(h))) add(often, (t) => this.wait(t))
      add(this.tasks.some((t) => t.state === 'waiting') ? often : 1, (t) => this.notify(t))
      add(1, (t) => this.bareWake(t))
    }
    if (this.options.branches) add(3, (t) => this.emit(t, BRANCH, this.name('c', 2)))
    if (this.options.regions) {
      add(1, (t) => this.openRegion(t))
      if (task.regions.length > 0) add(2, (t) => this.closeRegion(t))
    }
    return list
  }

  private fork(task: Task): void {
    const child = this.pickOf(this.tasks.filter((t) => t.state === 'unforked'))
    if (!child) return
    this.emit(task, FORK, child.id)
    child.state = 'ready'
  }

  private join(task: Task): void {
    const other = this.pickOf(this.tasks.filter((t) => t !== task && (t.state === 'ready' || t.state === 'done')))
    if (!other) return
    if (other.state === 'ready') {
      // A lock held for good, or a task that ends early, would soon bring a long run to a halt.
      if (other.held.length > 0 && (this.budget > SHORT || this.random.chance(0.8))) return
      if (other.events < this.budget / this.tasks.length / 3 && (this.budget > SHORT || this.random.chance(0.8))) return
      if (this.options.extras && this.random.chance(0.5) && this.log.length + 1 < this.budget) this.emit(other, END)
    }
    other.state = 'done'
    this.emit(task, JOIN, other.id)
  }

  /** No number is drawn where there are no atomics, so that the same seed gives the same trace as ever. */
  private isAtomic(): boolean {
    return this.options.atomics !== undefined && this.random.chance(this.options.atomics / 10)
  }

  private update(task: Task): void {
    if (this.log.length + 2 > this.budget) return
    const x = this.random.below(this.memory.length)
    this.read(task, ATOMIC_READ, x)
    this.write(task, UPDATE, x)
    // Both halves of an update may bear one stamp.
    if (this.random.chance(0.5)) this.log.at(-1)!.stamp = this.log.at(-2)!.stamp
  }

  private turn(task: Task): void {
    const ends = task.inTurn && this.random.chance(0.7)
    task.inTurn = !ends
    this.emit(task, ends ? TURN_END : TURN_BEGIN, this.name('callback', 2))
  }

  private read(task: Task, op = READ, x = this.random.below(this.memory.length)): void {
    const cell = this.memory[x]!
    this.emit(task, op, x, this.builder.values.codeOf(cell.value), cell.source)
  }

  private write(task: Task, op = WRITE, x = this.random.below(this.memory.length)): void {
    const value = this.random.below(this.values)
    this.memory[x] = { value, source: this.log.length }
    this.emit(task, op, x, this.builder.values.codeOf(value), this.log.length)
  }

  private acquire(task: Task): void {
    const lock = this.random.below(this.locks)
    const held = task.held.find((h) => h.lock === lock)
    let shared = this.options.shared !== false && this.random.chance(0.25)
    if (held) {
      if (!this.options.mixedNesting) shared = held.modes[0]!
      if (held.modes.length > 2) return
    }
    if (!this.lockFree(task, lock, shared)) return
    if (this.options.extras && this.random.chance(0.3)) {
      this.emit(task, REQUEST, lock)
      if (this.log.length >= this.budget) return
    }
    this.take(task, lock, shared)
  }

  /** Fails where another task holds the lock; else nothing is done. */
  private tryInVain(task: Task): void {
    if (this.locks === 0) return
    const lock = this.random.below(this.locks)
    const shared = this.options.shared !== false && this.random.chance(0.3)
    if (!this.lockFree(task, lock, shared)) this.emit(task, shared ? TRY_SHARED_FAILED : TRY_FAILED, lock)
  }

  /** Inner acquires of other modes count too: a shared holder that also took the lock exclusively keeps everybody out. */
  private lockFree(task: Task, lock: number, shared: boolean): boolean {
    return this.tasks.every((t) => t === task || !t.held.some((h) => h.lock === lock && (!shared || h.modes.includes(false))))
  }

  private take(task: Task, lock: number, shared: boolean): void {
    const held = task.held.find((h) => h.lock === lock)
    if (held) held.modes.push(shared)
    else task.held.push({ lock, modes: [shared] })
    this.emit(task, shared ? ACQUIRE_SHARED : ACQUIRE, lock)
  }

  /** Mostly the lock taken last, sometimes another: sections need not nest. */
  private release(task: Task): void {
    const held = this.random.chance(0.7) ? task.held[task.held.length - 1] : this.pickOf(task.held)
    if (!held) return
    this.drop(task, held)
  }

  private drop(task: Task, held: Held): void {
    const shared = held.modes.pop()!
    if (held.modes.length === 0) task.held.splice(task.held.indexOf(held), 1)
    this.emit(task, shared ? RELEASE_SHARED : RELEASE, held.lock)
  }

  private wait(task: Task): void {
    const held = this.pickOf(task.held.filter((h) => this.canWaitWith(h)))
    // Somebody must be left to notify.
    if (!held || !this.tasks.some((t) => t !== task && t.state === 'ready')) return
    if (this.budget > SHORT && task.held.length > 1) return
    task.lock = held.lock
    task.signal = this.random.below(this.signals)
    // A wait lets go of a re-entrant lock altogether.
    const depth = held.modes.length
    if (this.log.length + depth > this.budget) return
    task.released = depth
    task.reacquires = isExclusive(held) && this.random.chance(0.9) ? depth : 0
    task.state = 'waiting'
    for (let i = 0; i < depth; i++) this.drop(task, held)
  }

  private canWaitWith(held: Held): boolean {
    return isExclusive(held) || (this.options.sharedWaits === true && !held.modes.includes(false))
  }

  private wake(task: Task): void {
    this.emit(task, WAKE, task.signal)
    task.state = task.reacquires > 0 ? 'reacquiring' : 'ready'
    if (this.options.waitStamps === 'shared') {
      const own = this.log.filter((e) => e.task === task.id).reverse()
      for (let i = 1; i <= task.released; i++) own[i]!.stamp = own[0]!.stamp
    }
  }

  private notify(task: Task): void {
    const signal = this.random.below(this.signals)
    const waiting = this.tasks.filter((t) => t.state === 'waiting' && t.signal === signal)
    if (this.random.chance(0.3)) {
      for (const t of waiting) t.state = 'notified'
      this.tokens[signal]!.all = true
      return this.emit(task, NOTIFY_ALL, signal)
    }
    const woken = this.pickOf(waiting)
    if (woken) woken.state = 'notified'
    else this.tokens[signal]!.count++
    this.emit(task, NOTIFY, signal)
  }

  /** A wake without a release before it (a semaphore, an Atomics.wait): any notify of its own that came earlier will do. */
  private bareWake(task: Task): void {
    const signal = this.random.below(this.signals)
    const tokens = this.tokens[signal]!
    if (task.lastOp !== NONE && isRelease(task.lastOp)) return
    if (!tokens.all && tokens.count-- <= 0) {
      tokens.count = 0
      return
    }
    this.emit(task, WAKE, signal)
  }

  private openRegion(task: Task): void {
    const name = this.name('f', 2)
    const atomic = this.random.chance(0.5)
    task.regions.push({ close: atomic ? ATOMIC_END : EXIT, name })
    this.emit(task, atomic ? ATOMIC_BEGIN : ENTER, name)
  }

  private closeRegion(task: Task): void {
    const region = task.regions.pop()
    if (region) this.emit(task, region.close, region.name)
  }

  private emit(task: Task, op: number, target = NONE, value = NOT_OBSERVED, source = NONE): void {
    task.lastOp = op
    task.events++
    this.log.push({ task: task.id, op, target, value, site: this.random.below(this.sites), stamp: this.log.length, source })
  }

  private finish(): Trace {
    const hidden = this.hiddenValues()
    if (this.options.atomics !== undefined) this.openUpdates()
    const clock = new Map<TaskId, number>()
    for (const [i, e] of this.log.entries()) {
      const own = clock.get(e.task) ?? 0
      clock.set(e.task, own + 1)
      const stamp = this.options.order === 'task' ? own : e.stamp
      this.builder.add(e.task, e.op, e.target, hidden.has(i) ? NOT_OBSERVED : e.value, e.site, stamp)
    }
    return this.builder.finish({
      source: 'random',
      order: this.options.order ?? 'global',
      branches: this.options.branches ?? false,
    })
  }

  /** Now and then what another task did to another location right after an update was recorded between its halves. */
  private openUpdates(): void {
    for (let i = 1; i + 1 < this.log.length; i++) {
      const [half, update, other] = [this.log[i - 1]!, this.log[i]!, this.log[i + 1]!]
      if (update.op !== UPDATE || half.stamp === update.stamp || other.task === update.task || !this.random.chance(0.3)) continue
      if (!isAccess(other.op) || other.target === update.target || this.log[i + 2]?.stamp === other.stamp) continue
      const { stamp } = update
      update.stamp = other.stamp
      other.stamp = stamp
    }
  }

  private hiddenValues(): Set<number> {
    const hidden = new Set<number>()
    const kind = this.options.observed ?? 'all'
    if (kind === 'all') return hidden
    for (const [i, e] of this.log.entries()) {
      if (kind === 'none' || this.random.chance(0.25)) hidden.add(i)
      else if (kind === 'some' && isRead(e.op) && e.source !== NONE && hidden.has(e.source)) hidden.add(i)
    }
    return hidden
  }

  private lastStampOf(task: Task, op: number): number {
    for (let i = this.log.length - 1; i >= 0; i--) if (this.log[i]!.task === task.id && this.log[i]!.op === op) return this.log[i]!.stamp
    return NONE
  }

  private name(prefix: string, count: number): number {
    return this.builder.names.intern(`${prefix}${this.random.below(count) + 1}`)
  }

  private amount(amount: Amount): number {
    if (typeof amount === 'number') return amount
    return amount[0] + this.random.below(amount[1] - amount[0] + 1)
  }

  private pickOf<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.random.pick(list)
  }

  private shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.random.below(i + 1)
      const moved = copy[i]!
      copy[i] = copy[j]!
      copy[j] = moved
    }
    return copy
  }
}
