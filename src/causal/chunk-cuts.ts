/**
 * Where a run can be stopped: cuts of a trace after which everything before them may have happened exactly as recorded, and nothing else yet. A cut says how
 * many events of each task lie before it. It is *closed* when no event before it needed one behind it: the fork of its task, what a join waited for, the
 * write that a read saw, the notify that woke; and when nobody before it took a lock that another task would still hold there.
 *
 * Closed cuts are what makes answers about a chunk (chunk.ts) answers about the run: the events before a closed cut, in recorded order, are a feasible
 * order (docs/model.md) in which every read sees the very write it saw, so every value and every branch is as recorded. Cuts by time are closed. Others
 * are found with vector clocks over these needs, kept only at the positions somebody may ask about. Locks are no such need: a section may be left out with
 * everything behind it, only not cut in two while another task takes the lock after it.
 */
import { FORK, JOIN, WAKE, isRead, isWrite } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import { matchWakes } from '../trace/wakes.ts'
import { Sections } from './sections.ts'

/** Sections that a cut is moved behind, at most. */
const MOST_RAISES = 8

/** Of each task, how many of its events lie before. */
export type Cut = Int32Array

export class Cuts {
  /** The place of every event in the recorded order. */
  readonly rank: Int32Array
  /** The notify that served each wake of the recorded run. */
  readonly served: ReadonlyMap<number, number>
  /** The first cut at which there is more than one task to choose from: up to the first fork, or the begin where several tasks are there from the start. */
  readonly first: Cut
  /** The whole run. */
  readonly end: Cut
  /** Rows of clocks, per task: row p is what had to come before its first p * every events, those included. */
  private readonly rows: Int32Array[]
  private readonly task: Uint16Array | Int32Array
  readonly sections: Sections

  constructor(
    readonly trace: Trace,
    /** Clocks are kept at every so many events of a task. */
    readonly every: number,
  ) {
    const { taskCount, eventCount } = trace
    const order = trace.recordedOrder()
    this.rank = new Int32Array(eventCount)
    for (let i = 0; i < order.length; i++) this.rank[order[i]!] = i
    this.task = taskCount < 65536 ? new Uint16Array(eventCount) : new Int32Array(eventCount)
    for (let t = 0; t < taskCount; t++) this.task.fill(t, trace.taskStart[t], trace.taskStart[t + 1])
    this.sections = Sections.of(trace)
    this.served = trace.tables.signals.size === 0 ? new Map() : new Map(matchWakes(trace, order).pairs)
    this.first = this.firstCut(order)
    this.end = Int32Array.from({ length: taskCount }, (_, t) => trace.taskStart[t + 1]! - trace.taskStart[t]!)
    this.rows = this.pass(order)
  }

  taskOf(event: number): number {
    return this.task[event]!
  }

  /**
   * A small closed cut with this closed cut and the first `count` events of the task before it; `count` is rounded down to what is kept. Undefined where a
   * section of a lock would be cut in two that ends far away.
   */
  ahead(cut: Cut, task: number, count: number): Cut | undefined {
    const closed = cut.slice()
    const row = Math.floor(count / this.every)
    if (row > 0) this.raise(closed, task, row)
    for (let tries = 0; tries < MOST_RAISES; tries++) {
      const open = this.openSection(closed)
      if (!open) return closed
      const behind = Math.ceil((open.release + 1) / this.every)
      if (open.release === NONE || behind * this.every > this.end[open.task]! || behind * this.every - closed[open.task]! > 2 * this.every)
        return undefined
      this.raise(closed, open.task, behind)
    }
    return undefined
  }

  /** The smallest closed cut that has all of these before it: a pass over the run, or a few. Undefined where there is none. */
  closed(cut: Cut): Cut | undefined {
    const closed = cut.slice()
    for (;;) {
      const wanted = Array.from(closed, (count, t) => (count === 0 ? NONE : this.trace.taskStart[t]! + count - 1))
      this.walk(this.trace.recordedOrder(), (event, clocks, row) => {
        if (wanted[this.task[event]!] !== event) return
        const clock = clocks.at(row)
        for (let u = 0; u < closed.length; u++) if (clock[u]! > closed[u]!) closed[u] = clock[u]!
      })
      const open = this.openSection(closed)
      if (!open) return closed
      if (open.release === NONE) return undefined
      closed[open.task] = open.release + 1
    }
  }

  /** A task that is inside a section of a lock which another task took later on this side of the cut, and the place of the release in the task. */
  private openSection(cut: Cut): { task: number; release: number } | undefined {
    const { sections, rank } = this
    const { taskStart } = this.trace
    for (let u = 0; u < cut.length; u++) {
      for (const open of sections.openBefore(taskStart[u]! + cut[u]!, u)) {
        for (let t = 0; t < cut.length; t++) {
          if (t === u) continue
          // Sections of a task stand in its order, so from the last one backwards until they are earlier than the open one.
          for (let i = sections.lastOf(sections.lock[open]!, taskStart[t]! + cut[t]!); i >= 0; i--) {
            const other = sections.lockSections[i]!
            if (sections.lock[other] !== sections.lock[open] || sections.task[other] !== t) break
            if (rank[sections.acquire[other]!]! < rank[sections.acquire[open]!]!) break
            if (!sections.conflict(open, other)) continue
            const release = sections.release[open]!
            return { task: u, release: release === NONE ? NONE : release - taskStart[u]! }
          }
        }
      }
    }
    return undefined
  }

  private raise(cut: Cut, task: number, row: number): void {
    const rows = this.rows[task]!
    const from = Math.min(row * cut.length, rows.length - cut.length)
    for (let u = 0; u < cut.length; u++) if (rows[from + u]! > cut[u]!) cut[u] = rows[from + u]!
  }

  private firstCut(order: Int32Array): Cut {
    const { op, target, taskCount, taskStart } = this.trace
    const first = new Int32Array(taskCount)
    const forked = new Uint8Array(taskCount)
    for (let i = 0; i < order.length; i++) if (op[order[i]!] === FORK) forked[target[order[i]!]!] = 1
    let there = 0
    for (let t = 0; t < taskCount; t++) if (!forked[t] && taskStart[t] !== taskStart[t + 1]) there++
    if (there !== 1) return first
    for (let i = 0; i < order.length && op[order[i]!] !== FORK; i++) first[this.task[order[i]!]!]!++
    return first
  }

  private pass(order: Int32Array): Int32Array[] {
    const { trace, every } = this
    const width = trace.taskCount
    const rows = Array.from(this.end, (count) => new Int32Array((Math.floor(count / every) + 1) * width))
    this.walk(order, (event, clocks, row) => {
      const t = this.task[event]!
      const count = event - trace.taskStart[t]! + 1
      if (count % every === 0) rows[t]!.set(clocks.at(row), (count / every) * width)
    })
    return rows
  }

  /** Every event in recorded order, with the clock that says what had to come before it: how many events of each task, its own included. */
  private walk(order: Int32Array, visit: (event: number, clocks: ClockRows, row: number) => void): void {
    const { trace, task } = this
    const { op, target, taskStart, taskCount: width } = trace
    const clocks = new ClockRows(width)
    const own = Array.from({ length: width }, () => clocks.add())
    const shared = sharedLocations(trace)
    const writes = new Int32Array(shared.count).fill(NONE)
    const forks = new Int32Array(width).fill(NONE)
    const notifies = new Map<number, number>()
    for (const notify of new Set(this.served.values())) notifies.set(notify, NONE)
    for (let i = 0; i < order.length; i++) {
      const e = order[i]!
      const t = task[e]!
      const o = op[e]!
      const mine = own[t]!
      const x = target[e]!
      if (e === taskStart[t] && forks[t] !== NONE) clocks.join(mine, forks[t]!)
      clocks.set(mine, t, e - taskStart[t]! + 1)
      if (isRead(o)) {
        const w = shared.number[x]!
        if (w !== NONE && writes[w] !== NONE) clocks.join(mine, writes[w]!)
      } else if (isWrite(o)) {
        const w = shared.number[x]!
        if (w !== NONE) writes[w] = clocks.copy(mine, writes[w]!)
      } else if (o === FORK) forks[x] = clocks.copy(mine, forks[x]!)
      else if (o === JOIN) clocks.join(mine, own[x]!)
      else if (o === WAKE) {
        const notify = this.served.get(e)
        const row = notify === undefined ? NONE : (notifies.get(notify) ?? NONE)
        if (row !== NONE) clocks.join(mine, row)
      } else if (notifies.has(e)) notifies.set(e, clocks.copy(mine, NONE))
      visit(e, clocks, mine)
    }
  }
}

/** Only locations that more than one task touches need clocks. They are numbered. */
function sharedLocations(trace: Trace): { count: number; number: Int32Array } {
  const MANY = -2
  const number = new Int32Array(trace.tables.locations.size).fill(NONE)
  const { op, target, taskStart } = trace
  for (let t = 0; t < trace.taskCount; t++) {
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      const o = op[e]!
      if (!isRead(o) && !isWrite(o)) continue
      const x = target[e]!
      if (number[x] === NONE) number[x] = t
      else if (number[x] !== t) number[x] = MANY
    }
  }
  let count = 0
  for (let x = 0; x < number.length; x++) number[x] = number[x] === MANY ? count++ : NONE
  return { count, number }
}

/** Clocks side by side in one array. */
class ClockRows {
  private data: Int32Array
  private used = 0

  constructor(private readonly width: number) {
    this.data = new Int32Array(Math.max(64, width * 64))
  }

  add(): number {
    const at = this.used
    this.used += this.width
    if (this.used > this.data.length) {
      const bigger = new Int32Array(this.data.length * 2)
      bigger.set(this.data)
      this.data = bigger
    }
    return at
  }

  set(row: number, task: number, count: number): void {
    this.data[row + task] = count
  }

  join(row: number, other: number): void {
    const { data } = this
    for (let i = 0; i < this.width; i++) if (data[other + i]! > data[row + i]!) data[row + i] = data[other + i]!
  }

  /** A copy, in place of `over` where there is one. */
  copy(row: number, over: number): number {
    const to = over === NONE ? this.add() : over
    const { data } = this
    for (let i = 0; i < this.width; i++) data[to + i] = data[row + i]!
    return to
  }

  /** Valid until the next one is added. */
  at(row: number): Int32Array {
    return this.data.subarray(row, row + this.width)
  }
}
