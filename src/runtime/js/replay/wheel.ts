/**
 * Which timer runs next: lists of timers by duration in a queue by expiry, as lib/internal/timers.js of Node keeps them. The order is not
 * simply that of the due times: once a list is begun, all of it that is due runs, though another list may have an earlier timer by then.
 */

export interface Entry {
  /** Duration in whole milliseconds. */
  duration: number
  start: number
  list: List | undefined
}

export interface List {
  readonly duration: number
  readonly entries: Set<Entry>
  /** When the last of them was set. */
  latest: number
  expiry: number
  id: number
}

export class Wheel<T extends Entry> {
  private readonly lists = new Map<number, List>()
  private ids = 0
  private running: List | undefined
  /** Node reads the clock once, when the phase begins. What becomes due during the phase waits for the next one. */
  private phaseNow = 0

  constructor(private readonly now: () => number) {}

  insert(entry: T, start: number): void {
    this.remove(entry)
    let list = this.lists.get(entry.duration)
    if (list === undefined) {
      list = { duration: entry.duration, entries: new Set(), latest: start, expiry: start + entry.duration, id: this.ids++ }
      this.lists.set(entry.duration, list)
    }
    // First in, first out: none is due before those that were set before it.
    entry.start = list.entries.size === 0 ? start : Math.max(start, list.latest)
    list.latest = entry.start
    list.entries.add(entry)
    entry.list = list
  }

  remove(entry: T): void {
    const list = entry.list
    if (list === undefined) return
    entry.list = undefined
    list.entries.delete(entry)
    if (list.entries.size === 0 && list !== this.running) this.lists.delete(list.duration)
  }

  /** When the next timer is due; Infinity when there is none. */
  next(): number {
    let next = Infinity
    for (const list of this.lists.values()) {
      for (const entry of list.entries) {
        next = Math.min(next, entry.start + entry.duration)
        break
      }
    }
    return next
  }

  /** How many are due, and how many of those `counts` accepts. */
  due(counts: (entry: T) => boolean): { all: number; counted: number } {
    const now = this.now()
    let all = 0
    let counted = 0
    for (const list of this.lists.values()) {
      for (const entry of list.entries) {
        if (entry.start + entry.duration > now) break
        all++
        if (counts(entry as T)) counted++
      }
    }
    return { all, counted }
  }

  *[Symbol.iterator](): Generator<T> {
    for (const list of this.lists.values()) yield* list.entries as Set<T>
  }

  beginPhase(): void {
    this.phaseNow = this.now()
  }

  /** Takes out the timer that Node would run now. */
  take(): T | undefined {
    for (;;) {
      const list = this.running
      if (list === undefined) {
        const first = this.first()
        if (first === undefined || first.expiry > this.phaseNow) return undefined
        this.running = first
        continue
      }
      const entry = this.head()
      if (entry === undefined) continue
      this.remove(entry)
      return entry
    }
  }

  /** Node looks at the rest of the list right after a callback, before the ticks: call it then. */
  look(): void {
    if (this.running !== undefined) this.head()
  }

  private head(): T | undefined {
    const list = this.running!
    for (const entry of list.entries) {
      if (this.phaseNow - entry.start >= list.duration) return entry as T
      list.expiry = Math.max(entry.start + list.duration, this.phaseNow + 1)
      list.id = this.ids++
      this.running = undefined
      return undefined
    }
    this.lists.delete(list.duration)
    this.running = undefined
    return undefined
  }

  private first(): List | undefined {
    let first: List | undefined
    for (const list of this.lists.values()) {
      if (first === undefined || list.expiry < first.expiry || (list.expiry === first.expiry && list.id < first.id)) first = list
    }
    return first
  }
}
