/**
 * Makes a chunk, one window of every task behind a closed cut, a symbolic trace of its own:
 *
 *   (before)   writes the values that locations have at the cut, then forks the tasks
 *   tasks      their windows; who holds a lock at the cut takes it first, and nobody goes on before all are taken
 *
 * Whatever order of the chunk is feasible is the end of a feasible order of the whole: `whole` puts everything before the cut in front, as recorded
 * (chunk-cuts.ts says why that is feasible and leaves the values and locks that the chunk begins with). Left out are events that no order changes
 * (chunk-relevance.ts), and wakes that were notified before the cut: nothing keeps them. Their notifies serve nobody else, since the wakes before the
 * cut and these have one each in the recorded run. `whole` puts what was left out where it must be.
 */
import { sharedInt32, sharedUint8 } from '../base/grow.ts'
import { Names } from '../base/names.ts'
import { Expressions, NO_NODE } from '../symbolic/expressions.ts'
import type { SymbolicTrace } from '../symbolic/symbolic-trace.ts'
import { ACQUIRE, ACQUIRE_SHARED, BEGIN, FORK, JOIN, OPS, UPDATE, WAKE, WRITE, isAcquire, isRead } from '../trace/ops.ts'
import { NONE, Trace, type OrderKind } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'
import type { Cut, Cuts } from './chunk-cuts.ts'
import { WindowEnds } from './chunk-ends.ts'
import { ChunkExpressions } from './chunk-expressions.ts'
import { inRecordedOrder } from './chunk-order.ts'
import { CutState, type Hold } from './chunk-state.ts'

export interface Chunk extends SymbolicTrace {
  /** How many events of each task lie before its window, and up to where the window goes. */
  readonly from: Cut
  readonly to: Cut
  /** Per event of the chunk: that of the whole, NONE for what the chunk begins with. */
  readonly origin: Int32Array
  /** An order of the chunk as one of the whole; with `next` it goes on until that event of the chunk comes next. */
  whole(order: Int32Array, next?: number): Int32Array
}

/** One event of a chunk to be. */
interface Extra {
  readonly op: number
  readonly target: number
  readonly value: number
}

export class ChunkMaker {
  readonly expressions: ChunkExpressions
  private readonly trace: Trace
  private readonly state: CutState
  private readonly ends: WindowEnds
  private readonly locations: Renumbering
  private readonly locks: Renumbering
  private readonly signals: Renumbering
  /** Per event of the whole: its number in the chunk that is being made. Only read where it was just written. */
  private readonly number: Int32Array

  constructor(
    private readonly symbolic: SymbolicTrace,
    private readonly cuts: Cuts,
    private readonly inert: Uint8Array,
  ) {
    const { trace } = symbolic
    this.trace = trace
    this.expressions = new ChunkExpressions(symbolic, inert)
    this.state = new CutState(cuts, symbolic.initial)
    this.ends = new WindowEnds(trace)
    this.locations = new Renumbering(trace.tables.locations)
    this.locks = new Renumbering(trace.tables.locks)
    this.signals = new Renumbering(trace.tables.signals)
    this.number = new Int32Array(trace.eventCount)
  }

  /** The windows that a chunk with this cut would have; `to` is where they should end. */
  windows(cut: Cut, to: Cut): { from: Cut; to: Cut } {
    const { op, taskStart } = this.trace
    const from = cut.slice()
    // An update is not cut in two. Nothing needs a read, so without this one the cut is as closed as before.
    for (let t = 0; t < from.length; t++) if (from[t]! < to[t]! && op[taskStart[t]! + from[t]!] === UPDATE && from[t]! > 0) from[t]!--
    const ends = to.map((end, t) => Math.max(from[t]!, Math.min(end, taskStart[t + 1]! - taskStart[t]!)))
    this.ends.settle(from, ends)
    return { from, to: ends }
  }

  /** `cut` is closed. */
  make(cut: Cut, wantedEnd: Cut): Chunk {
    const { from, to } = this.windows(cut, wantedEnd)
    const { trace, cuts, state } = this
    state.at(from)
    const origins = this.kept(from, to)
    const begin = this.begin(from, origins)
    const taskCount = trace.taskCount + 2
    const taskStart = sharedInt32(taskCount + 1)
    for (let t = 0; t < taskCount; t++) taskStart[t + 1] = taskStart[t]! + begin[t]!.length + (origins[t]?.length ?? 0)
    const n = taskStart[taskCount]!
    const op = sharedUint8(n)
    const target = sharedInt32(n)
    const value = sharedInt32(n)
    const site = sharedInt32(n).fill(NONE)
    const origin = new Int32Array(n).fill(NONE)
    for (let t = 0; t < taskCount; t++) {
      let e = taskStart[t]!
      for (const extra of begin[t]!) {
        op[e] = extra.op
        target[e] = extra.target
        value[e++] = extra.value
      }
      for (const whole of origins[t] ?? []) {
        op[e] = trace.op[whole]!
        target[e] = this.renumbered(trace.op[whole]!, trace.target[whole]!)
        value[e] = trace.value[whole]!
        site[e] = trace.site[whole]!
        this.number[whole] = e
        origin[e++] = whole
      }
    }
    const { stamp, asRecorded } = inRecordedOrder({ taskStart, op, target, value }, origin, cuts)
    const order: OrderKind = asRecorded ? 'global' : 'task'
    const tables = {
      ...trace.tables,
      tasks: Names.of([...trace.tables.tasks, '(before)', '(ready)']),
      locations: this.locations.names(),
      locks: this.locks.names(),
      signals: this.signals.names(),
    }
    const facts = { source: trace.facts.source, order, branches: true, truncated: undefined }
    const chunk = new Trace({ taskStart, op, target, value, site, stamp }, tables, facts)
    const { expressions, of } = this.taken(origin, from)
    return { trace: chunk, expressions, of, from, to, origin, whole: (part, next) => this.whole(from, origin, part, next) }
  }

  /** Events of the windows that the chunk has, by task. */
  private kept(from: Cut, to: Cut): number[][] {
    const { trace, cuts, state } = this
    return Array.from(from, (first, t) => {
      const list: number[] = []
      const start = trace.taskStart[t]!
      for (let e = start + first; e < start + to[t]!; e++) {
        if (this.inert[e] === 1) continue
        if (trace.op[e] === WAKE) {
          const notify = cuts.served.get(e)
          if (notify !== undefined && state.isBefore(notify)) continue
        }
        list.push(e)
      }
      return list
    })
  }

  /** What each task has to do before its window begins. */
  private begin(from: Cut, origins: readonly (readonly number[])[]): Extra[][] {
    const { trace } = this
    const before = trace.taskCount
    const ready = before + 1
    const begin: Extra[][] = Array.from({ length: trace.taskCount + 2 }, () => [])
    const add = (task: number, op: number, target: number, value = NOT_OBSERVED): void => void begin[task]!.push({ op, target, value })
    // What nobody knows is written, too: else a value that the chunk reads and does not write would pass for it.
    for (const location of this.read(origins)) add(before, WRITE, this.locations.of(location), this.state.valueOf(location))
    const holds = this.holdsThatMatter(origins)
    const holders = [...new Set(holds.map((hold) => hold.task))]
    // Each holder takes its locks and forks the next one; the last one forks everybody else.
    let last = before
    for (const task of holders) {
      add(last, FORK, task)
      for (const { lock, exclusive, depth } of holds.filter((hold) => hold.task === task))
        for (let i = 0; i < depth; i++) add(task, exclusive ? ACQUIRE : ACQUIRE_SHARED, this.locks.of(lock))
      last = task
    }
    for (let t = 0; t < trace.taskCount; t++)
      if (origins[t]!.length > 0 && !holders.includes(t) && this.ends.isThere(t, from)) add(last, FORK, t)
    if (holders.length > 1) {
      add(last, FORK, ready)
      add(ready, BEGIN, NONE)
      for (const task of holders) add(task, JOIN, ready)
    }
    return begin
  }

  private read(origins: readonly (readonly number[])[]): Set<number> {
    const { op, target } = this.trace
    const read = new Set<number>()
    for (const list of origins) for (const e of list) if (isRead(op[e]!)) read.add(target[e]!)
    return read
  }

  /** Locks that somebody holds at the cut and somebody else takes in the chunk. */
  private holdsThatMatter(origins: readonly (readonly number[])[]): Hold[] {
    const { op, target } = this.trace
    const takers = new Map<number, Set<number>>()
    origins.forEach((list, t) => {
      for (const e of list) {
        if (!isAcquire(op[e]!)) continue
        const known = takers.get(target[e]!)
        if (known) known.add(t)
        else takers.set(target[e]!, new Set([t]))
      }
    })
    if (takers.size === 0) return []
    // A release in the chunk of a lock that nobody takes there does nothing.
    return this.state.holds().filter(({ lock, task }) => [...(takers.get(lock) ?? [])].some((t) => t !== task))
  }

  private renumbered(op: number, target: number): number {
    if (target === NONE) return NONE
    switch (OPS[op]!.target) {
      case 'location':
        return this.locations.of(target)
      case 'lock':
        return this.locks.of(target)
      case 'signal':
        return this.signals.of(target)
      default:
        return target
    }
  }

  private taken(origin: Int32Array, from: Cut): { expressions: Expressions; of: Int32Array } {
    const expressions = new Expressions()
    const of = new Int32Array(origin.length).fill(NO_NODE)
    const numberOf = (read: number): number => this.number[read]!
    for (let e = 0; e < origin.length; e++) {
      if (origin[e] === NONE) continue
      const node = this.symbolic.of[origin[e]!]!
      if (node === NO_NODE) continue
      const t = this.cuts.taskOf(origin[e]!)
      of[e] = this.expressions.take(expressions, node, this.trace.taskStart[t]! + from[t]!, numberOf)
    }
    this.expressions.forget()
    return { expressions, of }
  }

  private whole(from: Cut, origin: Int32Array, part: Int32Array, until?: number): Int32Array {
    const { trace, cuts } = this
    const recorded = trace.recordedOrder()
    const out = new Int32Array(trace.eventCount)
    const next = from.map((count, t) => trace.taskStart[t]! + count)
    const total = from.reduce((sum, count) => sum + count, 0)
    let filled = 0
    for (let i = 0; filled < total; i++) if (recorded[i]! < next[cuts.taskOf(recorded[i]!)]!) out[filled++] = recorded[i]!
    for (const e of part) {
      const whole = origin[e]!
      if (whole === NONE) continue
      const t = cuts.taskOf(whole)
      while (next[t]! <= whole) out[filled++] = next[t]!++
    }
    if (until !== undefined) {
      const t = cuts.taskOf(origin[until]!)
      while (next[t]! < origin[until]!) out[filled++] = next[t]!++
    }
    return out.slice(0, filled)
  }
}

/** Names of one table that a chunk uses, numbered in order of use: tables of a long run are long, and deciders have a row for each name. */
class Renumbering {
  private readonly number: Int32Array
  private used: number[] = []

  constructor(private readonly table: Names) {
    this.number = new Int32Array(table.size).fill(NONE)
  }

  of(id: number): number {
    if (this.number[id] === NONE) this.number[id] = this.used.push(id) - 1
    return this.number[id]!
  }

  /** The table of the chunk. The next chunk begins. */
  names(): Names {
    const names = Names.of(this.used.map((id) => this.table.at(id)))
    for (const id of this.used) this.number[id] = NONE
    this.used = []
    return names
  }
}
