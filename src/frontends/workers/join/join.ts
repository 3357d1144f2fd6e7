/**
 * Joins the files of the threads of one run (docs/workers.md) into one trace with a global order. Stamps are Lamport times: sorted by them, the
 * steps of all threads make a run in which every read sees what it saw. Cells become locations, names are merged by text, and what only one
 * thread touches is left out; the numbers of steps are those of the files all the same.
 *
 * The per-event path is typed arrays and one pass over each file to see who touches what, one to write.
 */
import { sharedInt32, sharedUint8 } from '../../../base/grow.ts'
import { Names } from '../../../base/names.ts'
import {
  ACQUIRE_SHARED,
  ATOMIC_READ,
  CALL,
  isRelease,
  OPS,
  RELEASE_SHARED,
  TURN_BEGIN,
  TURN_END,
  UPDATE,
  WAKE,
  type TargetKind,
} from '../../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace, type TraceColumns, type TraceTables } from '../../../trace/trace.ts'
import { NOT_OBSERVED, Values } from '../../../trace/values.ts'
import { ValueCodes } from './bits.ts'
import { RawCells, type Pieces } from './cells.ts'
import { threadTwice } from './errors.ts'
import { Meetings } from './meetings.ts'
import type { Joined } from '../../../trace/joined.ts'
import { wholeRun } from './whole-run.ts'
import { LOCATION, LOCK, Renumbered, SIGNAL, TARGET, Thread } from './thread.ts'

/** Stands between a release and a wake that has nothing to do with it: right after a release, a wake would end a wait (docs/model.md, rule 4). */
const SEPARATOR = 'listen'

export function joinTraces(files: readonly Trace[], source: string): Joined {
  const raws = new RawCells()
  const meetings = new Meetings()
  const threads: Thread[] = []
  for (const file of files) {
    for (let t = 0; t < file.taskCount; t++) {
      if (file.taskStart[t] !== file.taskStart[t + 1]) threads.push(new Thread(file, t, raws, meetings))
    }
  }
  threads.sort((a, b) => byName(a.name, b.name))
  const tables = { ...emptyTables(), tasks: new Names() }
  for (const [t, thread] of threads.entries()) {
    if (tables.tasks.intern(thread.name) !== t) throw threadTwice(source, thread.name)
    thread.survey(t, raws)
  }
  meetings.allKnown()
  const pieces = raws.cut()
  const { columns, stepOf, steps } = new Writer(threads, raws, pieces, meetings, tables).write()
  return wholeRun(columns, tables, stepOf, steps, files, source)
}

const natural = new Intl.Collator('en', { numeric: true })

/** `main` first, then as people count: worker 2 before worker 10. */
function byName(a: string, b: string): number {
  if (a === 'main' || b === 'main') return a === b ? 0 : a === 'main' ? -1 : 1
  return natural.compare(a, b) || (a < b ? -1 : Number(a > b))
}

function emptyTables(): TraceTables {
  return {
    tasks: new Names(),
    locations: new Names(),
    locks: new Names(),
    signals: new Names(),
    queues: new Names(),
    names: new Names(),
    sites: new Names(),
    values: new Values(),
  }
}

class Writer {
  private readonly op: Uint8Array
  private readonly target: Int32Array
  private readonly value: Int32Array
  private readonly site: Int32Array
  private readonly stamp: Int32Array
  private readonly stepOf: Int32Array
  private readonly locationOf: Int32Array
  private filled = 0
  /** Of the file at hand. */
  private codes!: ValueCodes
  private sites!: Renumbered
  private step = 0

  constructor(
    private readonly threads: readonly Thread[],
    private readonly raws: RawCells,
    private readonly pieces: Pieces,
    private readonly meetings: Meetings,
    private readonly tables: TraceTables,
  ) {
    const room = threads.reduce((n, thread) => n + this.mostEvents(thread), 0)
    this.op = sharedUint8(room)
    this.target = sharedInt32(room)
    this.value = sharedInt32(room)
    this.site = sharedInt32(room)
    this.stamp = sharedInt32(room)
    this.stepOf = sharedInt32(room)
    this.locationOf = new Int32Array(pieces.offset.length).fill(NONE)
  }

  write(): { columns: TraceColumns; stepOf: Int32Array; steps: Int32Array } {
    const starts = [0]
    const steps: number[] = []
    for (const thread of this.threads) {
      this.writeThread(thread)
      starts.push(this.filled)
      steps.push(this.step)
    }
    // Tasks that are only spoken of come last, and are empty.
    const taskStart = sharedInt32(this.tables.tasks.size + 1).fill(this.filled)
    taskStart.set(starts)
    const part = <A extends Int32Array | Uint8Array>(column: A): A => column.subarray(0, this.filled) as A
    const columns = {
      taskStart,
      op: part(this.op),
      target: part(this.target),
      value: part(this.value),
      site: part(this.site),
      stamp: part(this.stamp),
    }
    return { columns, stepOf: part(this.stepOf), steps: Int32Array.from({ length: this.tables.tasks.size }, (_, t) => steps[t] ?? 0) }
  }

  private mostEvents(thread: Thread): number {
    const { op, target } = thread.file
    const { shared } = this.pieces
    const { cells } = thread
    let most = 0
    for (let e = thread.from; e < thread.to; e++) {
      const o = op[e]!
      if (TARGET[o] === LOCATION) most += shared[cells.at(target[e]!)]!
      else most += o === WAKE ? 2 : 1
    }
    return most
  }

  private writeThread(thread: Thread): void {
    const { file, from, to, cells } = thread
    const { op, target, value, site, stamp } = file
    const { shared } = this.pieces
    this.codes = new ValueCodes(file.tables.values, this.tables.values)
    this.sites = new Renumbered(file.tables.sites, (text) => this.tables.sites.intern(text))
    const others = otherTargets(file, this.tables)
    const locks = new Renumbered(file.tables.locks, (text, id) =>
      this.tables.locks.intern(this.meetings.name(thread.locks.at(id), text, this.pieces)),
    )
    const signals = new Renumbered(file.tables.signals, (text, id) =>
      this.tables.signals.intern(this.meetings.name(thread.signals.at(id), text, this.pieces)),
    )
    const start = this.filled
    /** A release that was written before its time. */
    let written: EventId = NONE
    this.step = 0
    for (let e = from; e < to; e++) {
      const o = op[e]!
      if (e === from || stamp[e] !== stamp[e - 1]) this.step++
      const kind = TARGET[o]!
      if (kind === LOCATION) {
        const raw = cells.at(target[e]!)
        if (shared[raw] === 0) continue
        const update = o === ATOMIC_READ && e + 1 < to && op[e + 1] === UPDATE && target[e + 1] === target[e] && stamp[e + 1] === stamp[e]
        this.access(file, e, raw, update)
        if (update) e++
      } else if (kind === LOCK) {
        const lock = thread.locks.at(target[e]!)
        if (this.meetings.isPrivate(lock) || e === written) continue
        this.put(o, locks.at(target[e]!), NOT_OBSERVED, site[e]!, stamp[e]!)
        if (o !== ACQUIRE_SHARED) continue
        const end = endsLate(file, e, to)
        if (end === NONE || !this.meetings.isNotified(lock, stamp[e]!, stamp[end]!, this.taskOf(thread))) continue
        // Somebody notified the cell while this wait stood behind others, and timed out later. It cannot have held the list until then.
        const raw = cells.at(target[e + 1]!)
        if (shared[raw]! > 0) this.access(file, e + 1, raw, false)
        this.put(RELEASE_SHARED, locks.at(target[e]!), NOT_OBSERVED, site[e]!, stamp[e]!)
        written = end
        e++
      } else if (kind === SIGNAL) {
        const signal = thread.signals.at(target[e]!)
        if (this.meetings.isPrivate(signal)) continue
        if (o === WAKE && this.filled > start && !this.endsWait(file, e, thread, signal)) {
          this.put(CALL, this.tables.names.intern(SEPARATOR), NOT_OBSERVED, site[e]!, stamp[e]!)
        }
        this.put(o, signals.at(target[e]!), NOT_OBSERVED, site[e]!, stamp[e]!)
      } else {
        if (o === TURN_END && this.filled > start && this.op[this.filled - 1] === TURN_BEGIN) {
          this.filled-- // a turn in which nothing is left
          continue
        }
        // `call(wait 100)` belongs to the wait after it.
        if (o === CALL && e + 1 < to && op[e + 1] === ACQUIRE_SHARED && stamp[e + 1] === stamp[e]) {
          if (this.meetings.isPrivate(thread.locks.at(target[e + 1]!))) continue
        }
        this.put(o, others(o, target[e]!), this.codes.same(value[e]!), site[e]!, stamp[e]!)
      }
    }
  }

  /** One event for each piece; both halves of an update, piece by piece. */
  private access(file: Trace, e: EventId, raw: number, update: boolean): void {
    const { pieces } = this
    const { op, value, site, stamp } = file
    const first = pieces.first[raw]!
    if (pieces.plain[raw] === 1) {
      const location = this.location(first)
      this.put(op[e]!, location, this.codes.same(value[e]!), site[e]!, stamp[e]!)
      if (update) this.put(UPDATE, location, this.codes.same(value[e + 1]!), site[e + 1]!, stamp[e]!)
      return
    }
    const view = this.raws.views[raw]!
    for (let p = first, end = first + pieces.count[raw]!; p < end; p++) {
      if (!pieces.isShared(p)) continue
      const from = pieces.offset[p]! - view.offset
      const length = pieces.length[p]!
      const location = this.location(p)
      this.put(op[e]!, location, this.codes.piece(value[e]!, view, from, length), site[e]!, stamp[e]!)
      if (update) this.put(UPDATE, location, this.codes.piece(value[e + 1]!, view, from, length), site[e + 1]!, stamp[e]!)
    }
  }

  private location(piece: number): number {
    const known = this.locationOf[piece]!
    return known === NONE ? (this.locationOf[piece] = this.tables.locations.intern(this.pieces.name(piece))) : known
  }

  /** May the wake stand right after what was written last? After a release, only if that began the wait and the notify came in between. */
  private endsWait(file: Trace, wake: EventId, thread: Thread, signal: number): boolean {
    const last = this.filled - 1
    if (!isRelease(this.op[last]!)) return true
    if (wake === thread.from || file.op[wake - 1] !== RELEASE_SHARED) return false
    return thread.locks.at(file.target[wake - 1]!) === signal && this.meetings.isNotified(signal, file.stamp[wake - 1]!, file.stamp[wake]!)
  }

  private taskOf(thread: Thread): TaskId {
    return this.tables.tasks.find(thread.name)
  }

  private put(op: number, target: number, value: number, site: number, stamp: number): void {
    const at = this.filled++
    this.op[at] = op
    this.target[at] = target
    this.value[at] = value
    this.site[at] = this.sites.at(site)
    this.stamp[at] = stamp
    this.stepOf[at] = this.step
  }
}

/** A wait that timed out: the release that the next step has, or NONE. */
function endsLate({ op, target, stamp }: Trace, e: EventId, to: EventId): EventId {
  const end = e + 2
  if (end >= to || op[e + 1] !== ATOMIC_READ || stamp[e + 1] !== stamp[e]) return NONE
  return op[end] === RELEASE_SHARED && target[end] === target[e] && stamp[end] !== stamp[e] ? end : NONE
}

/** Targets of the ops that are neither accesses nor locks nor signals. */
function otherTargets({ tables: from }: Trace, to: TraceTables): (op: number, target: number) => number {
  const merged = (table: 'tasks' | 'queues' | 'names' | 'locations'): Renumbered =>
    new Renumbered(from[table], (text) => to[table].intern(text))
  const by: Partial<Record<TargetKind, Renumbered>> = {
    task: merged('tasks'),
    queue: merged('queues'),
    name: merged('names'),
    location: merged('locations'),
  }
  const tables = OPS.map((row) => by[row.target])
  return (op, target) => tables[op]?.at(target) ?? NONE
}
