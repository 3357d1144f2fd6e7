/**
 * Checks a witness that is given as a difference from the recorded run (difference.ts), by walking only what changed. It says yes only where it can show that the
 * plain checker (check.ts) would; everywhere else that one is asked, and gives the reason. Held against it on random traces and mutants in test/witness.
 *
 * What is kept of the recorded order is good if everything it relies on is kept too, because leaving events out changes nothing else:
 * - the fork of each task, the end of each joined task, the notify that served each wake, the hold that made each try fail, and the write that each read saw are kept;
 * - no lock that a task still holds where it stops is taken by another one later in what is kept.
 * What comes after is walked event by event by the rules of the plain checker, from the state that the kept part leads to.
 */
import {
  ACQUIRE,
  ATOMIC_READ,
  JOIN,
  OPS,
  READ,
  RELEASE,
  TRY_SHARED_FAILED,
  UPDATE,
  WAKE,
  isAcquire,
  isRead,
  isRelease,
  isTry,
  isWrite,
} from '../trace/ops.ts'
import type { Model } from '../trace/model.ts'
import { NONE, type EventId, type TaskColumn, type TaskId, type Trace } from '../trace/trace.ts'
import type { Demands } from './candidate.ts'
import { Checker, LockTable, type Refusal } from './check.ts'
import type { Difference } from './difference.ts'
import { ByTarget, Holds, keptOutBy, Reliance } from './recorded-run.ts'

const NOT_MOVED = -2

type Judgement = 'good' | 'bad' | 'unsure'

export class DifferenceChecker {
  readonly plain: Checker
  /** How often the plain checker had to be asked. */
  asked = 0
  /** What was found good last: an order that a predictor offers is asked about twice. */
  private good: { readonly demands: Demands; readonly witness: Difference } | undefined
  private index: Index | 'none' | undefined
  private holds_: Holds | undefined

  constructor(
    private readonly trace: Trace,
    model: Model,
    free?: Uint8Array,
  ) {
    this.plain = new Checker(trace, model, free)
  }

  /** Which locks a task holds where. */
  get holds(): Holds {
    return (this.holds_ ??= new Holds(this.trace))
  }

  /** undefined when the witness is good, else the first rule it breaks. */
  check(demands: Demands, witness: Difference): Refusal | undefined {
    if (this.judge(demands, witness) === 'good') return undefined
    this.asked++
    return this.plain.check(demands, witness.order)
  }

  /** Is it good? The reason is not asked for, so what is surely bad costs no walk. */
  accepts(demands: Demands, witness: Difference): boolean {
    const judgement = this.judge(demands, witness)
    if (judgement !== 'unsure') return judgement === 'good'
    this.asked++
    return this.plain.check(demands, witness.order) === undefined
  }

  private judge(demands: Demands, witness: Difference): Judgement {
    if (this.good?.demands === demands && this.good.witness === witness) return 'good'
    this.index ??= this.recordedIsGood() ? new Index(this.trace, this.plain, this.holds) : 'none'
    const judgement = this.index === 'none' ? 'unsure' : this.index.judge(demands, witness)
    if (judgement === 'good') this.good = { demands, witness }
    return judgement
  }

  private recordedIsGood(): boolean {
    return this.trace.facts.order === 'global' && this.plain.check(NOTHING_DEMANDED, this.trace.recordedOrder()) === undefined
  }
}

const NOTHING_DEMANDED: Demands = { next: [], before: [], include: [], without: [], either: [] }

class Index {
  private readonly ranks: Int32Array
  private readonly task: TaskColumn
  /** What must be kept for an event to run, reads aside. */
  private readonly needs = new Reliance()
  /** What must be kept for a read to see what it saw. */
  private readonly sees = new Reliance()
  private readonly notifyOf: ReadonlyMap<EventId, EventId>
  /** By number, so by task. */
  private readonly acquires: ByTarget
  /** As recorded. */
  private readonly writes: ByTarget
  /** The number of this walk: what carries another stamp is of an earlier one. */
  private now = 0
  /** Per location: what was written last, where the stamp is of now. */
  private readonly lastWrite: Int32Array
  private readonly writeStamp: Int32Array

  constructor(
    private readonly trace: Trace,
    private readonly plain: Checker,
    private readonly holds: Holds,
  ) {
    this.ranks = trace.ranks()
    const task = (this.task = plain.task)
    this.notifyOf = plain.recordedNotifies()
    this.acquires = new ByTarget(trace, trace.tables.locks.size, undefined, isAcquire)
    this.writes = new ByTarget(trace, trace.tables.locations.size, trace.recordedOrder(), isWrite)
    this.lastWrite = new Int32Array(trace.tables.locations.size)
    this.writeStamp = new Int32Array(trace.tables.locations.size)
    const keptOut = keptOutBy(trace, task)
    const place = (e: EventId): number => e - trace.taskStart[task[e]!]!
    for (let u = 0; u < trace.taskCount; u++) {
      const fork = plain.forkOf[u]!
      if (fork !== NONE) this.needs.add(u, 0, task[fork]!, place(fork))
      for (let e = trace.taskStart[u]!; e < trace.taskStart[u + 1]!; e++) {
        const op = trace.op[e]!
        if (op === READ || op === ATOMIC_READ) {
          const writer = plain.recordedWriter[e]!
          if (writer !== NONE && task[writer] !== u && !plain.isFree(e)) this.sees.add(u, place(e), task[writer]!, place(writer))
        } else if (op === JOIN) {
          const t = trace.target[e]!
          this.needs.add(u, place(e), t, trace.taskStart[t + 1]! - trace.taskStart[t]! - 1)
        } else if (op === WAKE) {
          const notify = this.notifyOf.get(e)!
          this.needs.add(u, place(e), task[notify]!, place(notify))
        } else if (isTry(op)) {
          const acquire = keptOut.get(e)
          if (acquire !== undefined) this.needs.add(u, place(e), task[acquire]!, place(acquire))
        }
      }
    }
  }

  judge(demands: Demands, witness: Difference): Judgement {
    if (demands.either.length > 0) return 'unsure'
    const kept = witness.keptOfEach()
    const first = this.ofKept(demands, witness, kept)
    if (first !== 'good') return first
    const then = this.ofMoved(demands, witness, kept)
    if (then !== 'good') return then
    return this.demanded(demands, witness) ? 'good' : 'bad'
  }

  private ofKept(demands: Demands, { runs, kept: length }: Difference, kept: Int32Array): Judgement {
    const { trace } = this
    for (let u = 0; u < kept.length; u++) {
      const count = kept[u]!
      // All that runs of a task and stands among the first recorded events is kept, and nothing else.
      if (count !== Math.min(runs[u]!, trace.countAt(u, length))) return 'unsure'
      if (count === 0) continue
      // Another notify might have served a wake, and another write have left the value.
      if (!this.needs.holds(u, count, kept)) return 'unsure'
      if (!this.sees.holds(u, this.lastBound(u, count, runs, demands), kept)) return this.plain.model === 'data' ? 'bad' : 'unsure'
      for (const acquire of this.holds.after(u, count)) if (this.takenLater(acquire, u, kept)) return 'bad'
    }
    return 'good'
  }

  /** Of the first `count` events of a task: how many there are up to the last read that binds. */
  private lastBound(u: TaskId, count: number, runs: Int32Array, demands: Demands): number {
    const { trace, plain } = this
    for (; count > 0; count--) {
      const e = trace.taskStart[u]! + count - 1
      const op = trace.op[e]!
      if (isRead(op) ? plain.binds(e, u, runs, demands) : !trace.facts.branches || OPS[op]!.dependent) break
    }
    return count
  }

  /** Is the lock of an acquire that stays open taken by another task among what is kept, later in the recorded run? */
  private takenLater(acquire: EventId, u: TaskId, kept: Int32Array): boolean {
    const { trace, task, ranks } = this
    const { start, events } = this.acquires
    const lock = trace.target[acquire]!
    const exclusive = trace.op[acquire] === ACQUIRE
    for (let t = 0; t < kept.length; t++) {
      if (t === u || kept[t] === 0) continue
      let lo = start[lock]!
      let hi = start[lock + 1]!
      while (lo < hi) {
        const mid = (lo + hi) >>> 1
        if (events[mid]! < trace.taskStart[t]! + kept[t]!) lo = mid + 1
        else hi = mid
      }
      for (let i = lo - 1; i >= start[lock]! && task[events[i]!] === t && ranks[events[i]!]! > ranks[acquire]!; i--)
        if (exclusive || trace.op[events[i]!] === ACQUIRE) return true
    }
    return false
  }

  private ofMoved(demands: Demands, witness: Difference, kept: Int32Array): Judgement {
    const { trace, task, plain } = this
    if (witness.moved.length === 0) return 'good'
    const done = kept.slice()
    const locks = new LockTable(trace.taskCount)
    this.now++
    for (let t = 0; t < kept.length; t++)
      if (kept[t]! > 0)
        for (const acquire of this.holds.after(t, kept[t]!)) locks.acquire(trace.target[acquire]!, t, trace.op[acquire] === ACQUIRE)
    const foundWrite = new Int32Array(trace.taskCount).fill(NOT_MOVED) // by the last read of each task
    const place = new Map<EventId, number>() // of what has moved, where there are waits
    const isDone = (e: EventId): boolean => e - trace.taskStart[task[e]!]! < done[task[e]!]!
    let good = true
    let sure = true
    witness.eachMoved((e) => {
      if (!good) return
      const t = task[e]
      if (t === undefined || e !== trace.taskStart[t]! + done[t]! || e >= trace.taskStart[t + 1]!) return void (good = false)
      const fork = plain.forkOf[t]!
      const op = trace.op[e]!
      const x = trace.target[e]!
      if (fork !== NONE && !isDone(fork)) good = false
      else if (op === JOIN) good = done[x] === trace.taskStart[x + 1]! - trace.taskStart[x]!
      else if (isAcquire(op)) good = locks.acquire(x, t, op === ACQUIRE)
      else if (isRelease(op)) locks.release(x, t, op === RELEASE)
      else if (isTry(op)) good = !plain.binds(e, t, witness.runs, demands) || locks.isHeldByOthers(x, t, op === TRY_SHARED_FAILED)
      else if (op === WAKE) sure = good = this.isServed(e, t, isDone, place)
      else if (isRead(op)) {
        const seen = this.writeNow(x, witness.kept, kept)
        foundWrite[t] = seen
        good = plain.seesRightly(e, seen) || !plain.binds(e, t, witness.runs, demands)
      } else if (isWrite(op)) {
        if (op === UPDATE) {
          const found = foundWrite[t] === NOT_MOVED ? this.writeBefore(x, this.ranks[e - 1]!, kept) : foundWrite[t]
          good = found === this.writeNow(x, witness.kept, kept)
        }
        this.lastWrite[x] = e
        this.writeStamp[x] = this.now
      }
      if (this.notifyOf.size > 0) place.set(e, place.size)
      done[t]!++
    })
    if (!good) return sure ? 'bad' : 'unsure'
    return done.every((n, t) => n === witness.runs[t]) ? 'good' : 'unsure'
  }

  /** What stands at a location now: what was written in this walk, or else what is kept of the recorded run. */
  private writeNow(location: number, rank: number, kept: Int32Array): EventId {
    if (this.writeStamp[location] !== this.now) {
      this.writeStamp[location] = this.now
      this.lastWrite[location] = this.writeBefore(location, rank, kept)
    }
    return this.lastWrite[location]!
  }

  /** By the notify that served it in the recorded run, after its wait began. Another one might do: that is left to the plain checker. */
  private isServed(wake: EventId, t: TaskId, isDone: (e: EventId) => boolean, place: ReadonlyMap<EventId, number>): boolean {
    const notify = this.notifyOf.get(wake)!
    if (!isDone(notify)) return false
    const waits = wake > this.trace.taskStart[t]! && isRelease(this.trace.op[wake - 1]!)
    const begun = waits ? place.get(wake - 1) : undefined
    const notified = place.get(notify)
    // What is kept of the recorded order has the begin of the wait before the notify.
    return begun === undefined || (notified !== undefined && begun < notified)
  }

  /** The last write to a location that is kept and stands before the given place of the recorded run. */
  private writeBefore(location: number, rank: number, kept: Int32Array): EventId {
    const { ranks, task, trace } = this
    const { start, events } = this.writes
    const first = start[location]!
    let lo = first
    let hi = start[location + 1]!
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (ranks[events[mid]!]! < rank) lo = mid + 1
      else hi = mid
    }
    for (let i = lo - 1; i >= first; i--) {
      const e = events[i]!
      const t = task[e]!
      if (e - trace.taskStart[t]! < kept[t]!) return e
    }
    return NONE
  }

  private demanded({ next, before, include, without }: Demands, witness: Difference): boolean {
    const { trace, task, plain } = this
    const runs = (e: EventId): boolean => e - trace.taskStart[task[e]!]! < witness.runs[task[e]!]!
    for (const e of next) {
      const t = task[e]!
      if (e !== trace.taskStart[t]! + witness.runs[t]!) return false
      if (plain.forkOf[t] !== NONE && !runs(plain.forkOf[t]!)) return false
    }
    for (const [a, b] of before) if (a === b || !runs(a) || !runs(b) || witness.sorted([b, a])[0] !== a) return false
    return include.every(runs) && !without.some(runs)
  }
}
