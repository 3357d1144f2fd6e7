/**
 * The pace of a suite of tests: whether there is time for one more replay, while nothing has failed. A replay begins only if one of the usual length
 * still fits into the time, so a suite in which nothing is found takes no longer than was promised. The first one always begins.
 */

export interface Pace {
  /** Milliseconds that are left; may be below zero. */
  leftMs(): number
  /** Is there time for one more replay? */
  fits(): boolean
  /** What a replay is expected to take. */
  readonly expectedMs: number
  /** A replay took so long. */
  took(ms: number): void
}

/** The mean of what replays took, and a guess before the first one. */
export class Usual {
  private sum = 0
  private count = 0

  constructor(private readonly guess: number) {}

  get ms(): number {
    return this.count === 0 ? this.guess : this.sum / this.count
  }

  took(ms: number): void {
    this.sum += ms
    this.count++
  }
}

/** Of a check of one command: so many milliseconds from now on. */
export class CheckPace implements Pace {
  private readonly usual: Usual
  private began = false

  constructor(
    private readonly forMs: number,
    recordedMs: number,
    private readonly since: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.usual = new Usual(recordedMs)
  }

  get expectedMs(): number {
    return this.usual.ms
  }

  leftMs(): number {
    return this.since + this.forMs - this.now()
  }

  fits(): boolean {
    return !this.began || this.leftMs() >= this.usual.ms
  }

  took(ms: number): void {
    this.began = true
    this.usual.took(ms)
  }
}
