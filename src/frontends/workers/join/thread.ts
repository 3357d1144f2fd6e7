/** The file of one thread while it is being joined: its events, and what its numbers are in the joined trace. */
import type { Names } from '../../../base/names.ts'
import { isAccess, NOTIFY, NOTIFY_ALL, OPS, WAKE } from '../../../trace/ops.ts'
import { NONE, type TaskId, type Trace } from '../../../trace/trace.ts'
import type { RawCells } from './cells.ts'
import type { Meetings } from './meetings.ts'

/** A table of the file and one of the joined trace: every name is looked up once, when it is first used. */
export class Renumbered {
  private readonly known: Int32Array

  constructor(
    private readonly from: Names,
    private readonly numberOf: (text: string, from: number) => number,
  ) {
    this.known = new Int32Array(from.size).fill(NONE)
  }

  at(id: number): number {
    if (id === NONE) return NONE
    const known = this.known[id]!
    return known === NONE ? (this.known[id] = this.numberOf(this.from.at(id), id)) : known
  }
}

export const LOCATION = 1
export const LOCK = 2
export const SIGNAL = 3
/** What the target of an op is, for the loops over all events; everything else is 0. */
export const TARGET = Uint8Array.from(OPS, ({ target }, op) =>
  target === 'location' ? (isAccess(op) ? LOCATION : 0) : target === 'lock' ? LOCK : target === 'signal' ? SIGNAL : 0,
)

export class Thread {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly cells: Renumbered
  readonly locks: Renumbered
  readonly signals: Renumbered

  constructor(
    readonly file: Trace,
    task: TaskId,
    raws: RawCells,
    private readonly meetings: Meetings,
  ) {
    this.from = file.taskStart[task]!
    this.to = file.taskStart[task + 1]!
    this.name = file.taskName(task)
    this.cells = new Renumbered(file.tables.locations, (text) => raws.intern(text))
    this.locks = new Renumbered(file.tables.locks, (text) => meetings.lock(text))
    this.signals = new Renumbered(file.tables.signals, (text) => meetings.signal(text))
  }

  /** Says what the thread touches. */
  survey(task: TaskId, raws: RawCells): void {
    const { op, target, stamp } = this.file
    const { cells, locks, signals, meetings } = this
    const { owners } = raws
    for (let e = this.from; e < this.to; e++) {
      const o = op[e]!
      const kind = TARGET[o]!
      if (kind === LOCATION) owners.add(cells.at(target[e]!), task)
      else if (kind === LOCK) meetings.use(locks.at(target[e]!), task)
      else if (kind === SIGNAL) {
        const signal = signals.at(target[e]!)
        meetings.use(signal, task)
        if (o === WAKE) meetings.wake(signal)
        else if (o === NOTIFY || o === NOTIFY_ALL) meetings.notify(signal, stamp[e]!, task)
      }
    }
  }
}
