/** One look at a trace of threads, or at its beginning: the causes that there are, and of each a prediction in every round. */
import type { Beginning } from './beginning.ts'
import { inOrder, type Cause, type Found } from './causes.ts'
import type { Finder } from './finder.ts'
import { count, type ThreadCoverage, type ThreadPrediction } from './prediction.ts'

export interface Part {
  readonly finder: Finder
  /** Only these cells. */
  readonly only?: ReadonlySet<string>
  /** Where only the beginning is looked at. */
  readonly beginning?: Beginning | undefined
}

export interface Bounds {
  /** The time is up. */
  readonly late: () => boolean
  /** It is, or enough was given. */
  readonly over: () => boolean
  /** Fingerprints of the causes that a prediction was given of. */
  readonly given: Set<string>
}

/** What the locks themselves are less likely to show than what they guard. */
const LESS_LIKELY = 12

export class Looking {
  private readonly partOf = new Map<Cause, Part>()
  private readonly found: readonly Found[]
  private open: Cause[]
  /** Causes given before this look. */
  private readonly before: ReadonlySet<string>

  constructor(
    parts: readonly Part[],
    private readonly coverage: ThreadCoverage,
    private readonly bounds: Bounds,
  ) {
    this.before = new Set(bounds.given)
    this.found = parts.map(({ finder, only }) => finder.causes(bounds.late, only))
    for (const [i, part] of parts.entries()) {
      for (const cause of this.found[i]!.causes) {
        if (part.beginning && cause.needsTheEnd) continue
        this.partOf.set(cause, part)
        if (part.only) cause.points -= LESS_LIKELY
      }
      if (this.found[i]!.cut) coverage.notLookedAt++
    }
    coverage.causes = this.partOf.size
    this.open = inOrder([...this.partOf.keys()])
  }

  get done(): boolean {
    return this.open.length === 0
  }

  *round(round: number): Generator<ThreadPrediction, void, undefined> {
    const { over, given } = this.bounds
    const more: Cause[] = []
    for (const [i, cause] of this.open.entries()) {
      if (over()) {
        if (round === 0) this.coverage.notLookedAt += this.open.slice(i).filter(({ fingerprint }) => !this.before.has(fingerprint)).length
        this.open = []
        return
      }
      const { finder, beginning } = this.partOf.get(cause)!
      if (round === 0 && this.before.has(cause.fingerprint)) {
        more.push(cause)
        continue
      }
      const prediction = finder.next(cause, round, round > 0 && given.has(cause.fingerprint))
      if (prediction || cause.unfinished) more.push(cause)
      if (!prediction) continue
      given.add(cause.fingerprint)
      yield beginning ? beginning.inWhole(prediction) : prediction
    }
    this.open = more
  }

  /** Counts what proposing ruled out. */
  countSettled(): void {
    for (const { groups } of this.found) {
      for (const { settled } of groups) {
        this.coverage.pairs += settled.mustOrder + settled.locks
        count(this.coverage, 'must-order', settled.mustOrder)
        count(this.coverage, 'locks', settled.locks)
      }
    }
  }
}
