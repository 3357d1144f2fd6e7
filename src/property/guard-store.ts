/** What a monitor remembers of events that a `!e` forbids. */
import { GrowInt32 } from '../base/grow.ts'
import { NONE } from '../trace/trace.ts'

/** Where the events of a guard came: the last by key, or all of them. */
export class GuardStore {
  private readonly lasts = new Map<number, number>()
  private readonly lists = new Map<number, GrowInt32>()

  constructor(
    readonly keyed: readonly number[],
    readonly all: boolean,
  ) {}

  note(key: number, at: number): void {
    if (!this.all) {
      this.lasts.set(key, at)
      return
    }
    let list = this.lists.get(key)
    if (!list) this.lists.set(key, (list = new GrowInt32(4)))
    list.push(at)
  }

  last(key: number): number {
    return this.lasts.get(key) ?? NONE
  }

  between(key: number, from: number, to: number, counts: (at: number) => boolean): boolean {
    const list = this.lists.get(key)
    if (!list) return false
    for (let i = list.length - 1; i >= 0 && list.at(i) > from; i--) if (list.at(i) < to && counts(list.at(i))) return true
    return false
  }

  /** What came before all that is still looked at. */
  forget(oldest: number): void {
    for (const [key, at] of this.lasts) if (at < oldest) this.lasts.delete(key)
    for (const [key, list] of this.lists) if (list.at(list.length - 1) < oldest) this.lists.delete(key)
  }
}
