/** Writes what is recorded in batches, a little later. A process that is killed loses at most one batch. */
import { unseen } from './core.ts'

/** The program may replace it. */
const setTimer = setTimeout

export class FlushLater {
  private isSet = false

  /** `afterMs`: one that no program has by chance, since timers of one delay share a list. */
  constructor(
    private readonly afterMs: number,
    private readonly flush: () => void,
  ) {}

  /** Call it for everything that is recorded. */
  set(): void {
    if (!this.isSet) this.start()
  }

  private start(): void {
    this.isSet = true
    unseen(() =>
      setTimer(() => {
        this.isSet = false
        this.flush()
      }, this.afterMs).unref(),
    )
  }
}
