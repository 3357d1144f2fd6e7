/** One search through a trace of threads, or through its beginning: its causes, and one prediction of each in every round. */
import type { CoverageRow } from '../../coverage.ts'
import type { Beginning } from './beginning.ts'
import { inOrder, ONLY_THE_BEGINNING, type Cause, type Found } from './causes.ts'
import type { Finder } from './finder.ts'
import { PAUSE, type ThreadPrediction } from './prediction.ts'

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
  /** Nothing has been given for a while. */
  readonly pause: () => boolean
  /** Fingerprints of the causes that a prediction was given of. */
  readonly given: Set<string>
}

/** Candidates that are drawn only to be counted, and the milliseconds that may take. */
const MOST_COUNTED = 100_000
const COUNTING_MS = 300

/** What the locks themselves are less likely to show than what they guard. */
const LESS_LIKELY = 12

export class Looking {
  private readonly partOf = new Map<Cause, Part>()
  private readonly found: readonly Found[]
  private open: Cause[]
  /** Only the beginning is looked at. */
  private readonly isCut: boolean
  /** Causes given before this look. */
  private readonly before: ReadonlySet<string>
  /** Causes that one candidate of this look stands for as predicted. */
  private readonly counted = new Set<string>()

  constructor(
    parts: readonly Part[],
    private readonly row: CoverageRow,
    private readonly bounds: Bounds,
  ) {
    this.before = new Set(bounds.given)
    this.isCut = parts.some(({ beginning }) => beginning !== undefined)
    this.found = parts.map(({ finder, only }) => finder.causes(bounds.late, only))
    for (const [i, part] of parts.entries()) {
      for (const cause of this.found[i]!.causes) {
        if (part.beginning && cause.needsTheEnd) continue
        this.partOf.set(cause, part)
        if (part.only) cause.points -= LESS_LIKELY
      }
      if (this.found[i]!.cut) row.cutOff(bounds.late() ? 'time' : 'limit')
    }
    row.causes += this.partOf.size
    this.open = inOrder([...this.partOf.keys()])
  }

  get done(): boolean {
    return this.open.length === 0
  }

  *round(round: number): Generator<ThreadPrediction, void, undefined> {
    const { over, given } = this.bounds
    const more: Cause[] = []
    for (const cause of this.open) {
      if (over()) {
        this.open = []
        return
      }
      if (this.bounds.pause()) yield PAUSE
      const { finder, beginning } = this.partOf.get(cause)!
      if (round === 0 && this.before.has(cause.fingerprint)) {
        more.push(cause)
        continue
      }
      const prediction = finder.next(cause, round, round > 0 && given.has(cause.fingerprint), !this.counted.has(cause.fingerprint))
      if (prediction || cause.unfinished) more.push(cause)
      if (!prediction) continue
      given.add(cause.fingerprint)
      this.counted.add(cause.fingerprint)
      yield beginning ? beginning.inWhole(prediction) : prediction
    }
    this.open = more
  }

  /** Counts what proposing ruled out, and all that was not decided. To be called once, at the end. */
  finish(): void {
    const { row, bounds } = this
    const until = performance.now() + COUNTING_MS
    let left = MOST_COUNTED
    for (const cause of this.partOf.keys()) {
      // Of a cause that the beginning showed, one of its candidates has been predicted.
      if (this.before.has(cause.fingerprint) && !this.counted.has(cause.fingerprint) && cause.given()) this.counted.add(cause.fingerprint)
      const why = bounds.late() ? 'time' : bounds.over() ? 'limit' : 'tries'
      left -= cause.finish(bounds.given.has(cause.fingerprint) ? 'grouped' : 'notLookedAt', why, performance.now() < until ? left : 0)
    }
    // What a cut trace rules out the whole may allow: it has more notifies, and more writes of the same value.
    for (const { ruledOut } of this.found) {
      if (this.isCut) {
        row.propose(ruledOut.mustOrder + ruledOut.locks)
        row.settle('unknown', ONLY_THE_BEGINNING, ruledOut.mustOrder + ruledOut.locks)
      } else {
        row.ruledOut('must-order', ruledOut.mustOrder)
        row.ruledOut('locks', ruledOut.locks)
      }
    }
  }
}
