/**
 * Locks and signals in the files of threads: wait lists and wake-ups of cells, messages, workers that came online. The wait list and the wake-ups of
 * one cell are identified by its first byte, whatever view named them. Those of a single task are left out.
 */
import { Names } from '../../../base/names.ts'
import { Owners, parseCell, type Pieces, type View } from './cells.ts'

const WAITERS = 'waiters of '
const WOKEN = 1
const NOTIFIED = 2

export class Meetings {
  private readonly keys = new Names()
  private readonly views: (View | undefined)[] = []
  private readonly owners = new Owners()
  private readonly flags: number[] = []
  /** Of cells: when each notify was, and by whom; sorted once all are known. */
  private readonly notifies = new Map<number, { stamp: number; task: number }[]>()

  lock(text: string): number {
    const view = text.startsWith(WAITERS) ? parseCell(text.slice(WAITERS.length)) : undefined
    return this.meeting(view, `lock ${text}`)
  }

  signal(text: string): number {
    return this.meeting(parseCell(text), `signal ${text}`)
  }

  private meeting(view: View | undefined, key: string): number {
    const id = this.keys.intern(view ? `cell ${view.buffer}+${view.offset}` : key)
    if (id === this.views.length) {
      this.views.push(view)
      this.flags.push(0)
    }
    return id
  }

  use(meeting: number, task: number): void {
    this.owners.add(meeting, task)
  }

  wake(meeting: number): void {
    this.flags[meeting]! |= WOKEN
  }

  notify(meeting: number, stamp: number, task: number): void {
    this.flags[meeting]! |= NOTIFIED
    if (!this.views[meeting]) return
    const list = this.notifies.get(meeting)
    if (list) list.push({ stamp, task })
    else this.notifies.set(meeting, [{ stamp, task }])
  }

  allKnown(): void {
    for (const list of this.notifies.values()) list.sort((a, b) => a.stamp - b.stamp)
  }

  /** Nobody else uses it. A wake-up without a notify is kept: it shows that something is missing. */
  isPrivate(meeting: number): boolean {
    return !this.owners.isShared(meeting) && this.flags[meeting] !== WOKEN
  }

  isCell(meeting: number): boolean {
    return this.views[meeting] !== undefined
  }

  /** Is the cell notified between two stamps (by somebody else than `not`)? */
  isNotified(meeting: number, after: number, before: number, not = -1): boolean {
    const list = this.notifies.get(meeting) ?? []
    let lo = 0
    let hi = list.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (list[mid]!.stamp <= after) lo = mid + 1
      else hi = mid
    }
    for (; lo < list.length && list[lo]!.stamp < before; lo++) if (list[lo]!.task !== not) return true
    return false
  }

  /** The name of a lock or a signal of the file in the joined trace. */
  name(meeting: number, text: string, pieces: Pieces): string {
    const view = this.views[meeting]
    if (!view) return text
    return (text.startsWith(WAITERS) ? WAITERS : '') + pieces.placeName(view)
  }
}
