/**
 * How long the analysis of a test run may take in total. A time counts from the beginning of the run. A multiple refers to what the tests would take
 * without Heddle: in each process that runs tests, these and their analysis take no longer than that. So little is known of short suites that they get
 * LEAST_MS, once for all processes together, and one replay at least.
 */
import { allowanceOf, type Allowance } from '../base/allowance.ts'
import { busyness } from '../base/busy.ts'
import { Usual, type Pace } from '../confirm/pace.ts'
import type { SuiteClock } from './job.ts'

/** docs/quality.md has what is found with more and with less. */
export const LEAST_MS = 2000
/** Recorded, a test uses up to four times the processor time: so much of what was used is not the test's own. */
const OWN_WORK = 3 / 4
/** A test is not estimated lower than that share of its recorded time. */
const LEAST_SHARE = 1 / 4
/** What a walk over a recorded test takes, before the first one. */
const LOOK_MS = 50

/** What a recorded test would take without Heddle; both in milliseconds. */
export const plainMs = (recorded: number, processor: number): number => Math.max(recorded - processor * OWN_WORK, recorded * LEAST_SHARE)

/** What all processes of a run of tests have used together. */
export interface Ledger {
  readonly ms: number
  readonly replays: number
  /** `ms` of one analysis, with so many replays. */
  add(ms: number, replays: number): void
}

export class SuiteBudget implements Pace {
  private readonly allowance: Allowance
  private readonly replay: Usual
  private readonly look: Usual
  private clock: SuiteClock = { alone: 0, analyses: 0, plain: 0, toStart: 0 }
  private since = 0
  private replays = 0
  /** What was used on failures. */
  private given = 0
  /** Of that, what is known to come: an earlier run had so much more when it ended. */
  private ahead = 0

  /** `startedAt`: of the run, a moment of `now`. `known`: what a replay and a look took in earlier runs. */
  constructor(
    readonly text: string,
    private readonly startedAt: number,
    private readonly ledger: Ledger,
    known: { readonly replayMs?: number | undefined; readonly lookMs?: number | undefined; readonly guessMs: number },
    private readonly now: () => number = Date.now,
    private readonly busy = busyness,
  ) {
    this.allowance = allowanceOf(text)!
    this.replay = new Usual(known.replayMs ?? known.guessMs)
    this.look = new Usual(known.lookMs ?? LOOK_MS)
  }

  /** A time is used up to its end; a multiple is not to be exceeded. */
  get isPaced(): boolean {
    return 'times' in this.allowance
  }

  get expectedMs(): number {
    return this.replay.ms
  }

  get lookMs(): number {
    return this.look.ms
  }

  /** What the tests alone have left of the multiple so far. */
  get gain(): number {
    const { plain, alone } = this.clock
    return 'times' in this.allowance ? this.allowance.times * plain - alone : 0
  }

  /** The analysis of a test begins. */
  begin(clock: SuiteClock, ahead: number): void {
    this.clock = clock
    this.ahead = ahead
    this.since = this.now()
    this.replays = 0
  }

  /** It is over. What was used on a failure is not charged: the others have their share as before. */
  end(found: boolean): void {
    const ms = this.now() - this.since
    this.ledger.add(found ? 0 : Math.round(ms), this.replays)
    if (found) this.given += ms
    else if (this.replays === 0) this.look.took(ms)
  }

  leftMs(): number {
    const now = this.now()
    if ('ms' in this.allowance) return this.startedAt + this.allowance.ms - now
    const spent = now - this.since
    const least = LEAST_MS * this.busy() - this.ledger.ms - spent
    return Math.max(least, this.gain + this.ahead + this.given - this.clock.analyses - spent)
  }

  /** Is there time to look at a test? */
  mayLook(): boolean {
    return this.leftMs() >= this.look.ms || this.isFirst
  }

  fits(): boolean {
    return this.leftMs() >= this.replay.ms || this.isFirst
  }

  took(ms: number): void {
    this.replays++
    this.replay.took(ms)
  }

  /** No process has replayed anything. */
  private get isFirst(): boolean {
    return this.replays === 0 && this.ledger.replays === 0
  }
}
