/** The value of every location after an event of a run, with its last writer and reader. Locks show their holder. */
import { isRead, isWrite, type RunModel } from './run-model.ts'

export interface Cell {
  readonly what: string
  /** Undefined: not known. */
  value: string | undefined
  /** The value before the event that changed it last. */
  before: string | undefined
  /** Events, or -1. */
  wrote: number
  read: number
  /** The last event that touched it. */
  touched: number
}

export class Memory {
  #cells = new Map<string, Cell>()
  #upTo = -1

  constructor(readonly run: RunModel) {}

  /** Cells after `event`, the last touched first. Going on from where it was is cheap; going back begins again. */
  after(event: number): Cell[] {
    if (event < this.#upTo) {
      this.#cells = new Map()
      this.#upTo = -1
    }
    while (this.#upTo < event) this.#apply(++this.#upTo)
    return [...this.#cells.values()].sort((a, b) => b.touched - a.touched)
  }

  #apply(event: number): void {
    const { run } = this
    const does = run.does(event)
    const reads = isRead(does)
    const writes = isWrite(does)
    const locks = does === 'lock' || does === 'unlock'
    if (!reads && !writes && !locks) return
    const what = run.what(event)
    let cell = this.#cells.get(what)
    if (!cell) this.#cells.set(what, (cell = { what, value: undefined, before: undefined, wrote: -1, read: -1, touched: event }))
    cell.touched = event
    const value = locks ? (does === 'lock' ? `held by ${run.lane(event).letter}` : 'free') : run.value(event)
    if (writes || locks) {
      cell.before = cell.value
      cell.value = value
      cell.wrote = event
    } else cell.value = value ?? cell.value
    if (reads) cell.read = event
  }
}
