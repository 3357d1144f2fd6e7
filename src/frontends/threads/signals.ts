/**
 * Does a wake-up have a cause? The model has no spurious wake-ups (docs/model.md, rule 4), so one without a cause is not written as a wake. A signal
 * serves one wait that had begun before it; waits end in the order of the records, and each takes the earliest signal that is left.
 */
export class Signals {
  private readonly conditions = new Map<number, { waiting: number; left: number[]; all: number }>()
  private readonly counts = new Map<number, number>()

  waits(condition: number): void {
    this.condition(condition).waiting++
  }

  notified(condition: number, now: number, all: boolean): void {
    const state = this.condition(condition)
    if (state.waiting === 0) return
    if (all) state.all = now
    else state.left.push(now)
  }

  /** The wait that began at `since` ends. Was there a signal for it? */
  wakes(condition: number, since: number, byTimeout: boolean): boolean {
    const state = this.condition(condition)
    state.waiting--
    let served = false
    if (!byTimeout) {
      if (state.all > since) served = true
      else {
        const at = state.left.findIndex((signal) => signal > since)
        if (at >= 0) {
          state.left.splice(at, 1)
          served = true
        }
      }
    }
    if (state.waiting === 0) state.left.length = 0
    return served
  }

  /** Semaphores: so many more may pass. */
  post(semaphore: number, by: number): void {
    this.counts.set(semaphore, (this.counts.get(semaphore) ?? 0) + by)
  }

  passes(semaphore: number): boolean {
    const count = this.counts.get(semaphore) ?? 0
    if (count > 0) this.counts.set(semaphore, count - 1)
    return count > 0
  }

  private condition(number: number): { waiting: number; left: number[]; all: number } {
    let state = this.conditions.get(number)
    if (!state) this.conditions.set(number, (state = { waiting: 0, left: [], all: 0 }))
    return state
  }
}
