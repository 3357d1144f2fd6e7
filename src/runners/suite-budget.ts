/**
 * How long the analysis of a test run may take in total. A time counts from the beginning of the run. A multiple refers to the recorded time of the
 * tests: in each process that runs tests the analysis may take that much more. Early in the run it is not limited, so that small suites are analysed,
 * too; on a busy machine for longer.
 */
import { allowanceOf, type Allowance } from '../base/allowance.ts'
import { busyness } from '../base/busy.ts'

const YOUNG_MS = 30_000
/** Less than that is not worth a begin. */
const LEAST_MS = 1000

export class SuiteBudget {
  private readonly allowance: Allowance
  private analysing = 0
  private readonly since: number

  /** `startedAt`: of the run, a moment of `now`. `before`: how long this process had run tests before it asked first. */
  constructor(
    readonly text: string,
    private readonly startedAt: number,
    before: number,
    private readonly now: () => number = Date.now,
    private readonly busy = busyness,
  ) {
    this.allowance = allowanceOf(text)!
    this.since = now() - before
  }

  /** For the analysis of the next test; undefined when there is nothing left. */
  left(): number | undefined {
    const now = this.now()
    const alone = now - this.since - this.analysing
    const left =
      'ms' in this.allowance
        ? this.startedAt + this.allowance.ms - now
        : Math.max(this.startedAt + YOUNG_MS * this.busy() - now, (this.allowance.times - 1) * alone - this.analysing)
    return left < LEAST_MS ? undefined : left
  }

  async during<T>(analysis: () => Promise<T>): Promise<T> {
    const start = this.now()
    try {
      return await analysis()
    } finally {
      this.analysing += this.now() - start
    }
  }
}
