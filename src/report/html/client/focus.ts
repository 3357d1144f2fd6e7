/** The event that picture, source, table and stepper all show, and the one the pointer is on. */
import { otherOf, type RunModel, type Which } from './run-model.ts'

export interface Spot {
  readonly run: Which
  /** -1: before the first event. */
  readonly event: number
}

export class Focus {
  #current: Spot
  #hovered: Spot | undefined
  readonly #listeners: ((what: 'current' | 'hovered') => void)[] = []

  constructor(
    readonly runs: Readonly<Record<Which, RunModel>>,
    start: Spot,
    /** As people call the runs. */
    readonly names: Readonly<Record<Which, string>>,
  ) {
    this.#current = start
  }

  get current(): Spot {
    return this.#current
  }

  /** The current event as `which` has it; undefined where it has none. */
  in(which: Which, spot: Spot | undefined = this.#current): number | undefined {
    if (!spot || spot.event < 0) return undefined
    if (spot.run === which) return spot.event
    const there = this.runs[spot.run].same(spot.event)
    return there < 0 ? undefined : there
  }

  hoveredIn = (which: Which): number | undefined => (this.#hovered ? this.in(which, this.#hovered) : undefined)

  go(run: Which, event: number): void {
    const size = this.runs[run].size
    this.#current = { run, event: Math.max(-1, Math.min(size - 1, event)) }
    this.#tell('current')
  }

  step(by: number): void {
    this.go(this.#current.run, this.#current.event + by)
  }

  /** To the next or previous flipped event. */
  jump(by: 1 | -1): void {
    const { run, event } = this.#current
    const { flipped } = this.runs[run]
    const next = by > 0 ? flipped.find((e) => e > event) : flipped.findLast((e) => e < event)
    if (next !== undefined) this.go(run, next)
  }

  /** The same event in the other run, or its flip. */
  swap(): void {
    const other = otherOf(this.#current.run)
    this.go(other, this.in(other) ?? this.runs[other].flipped[0] ?? 0)
  }

  hover(spot: Spot | undefined): void {
    if (spot?.run === this.#hovered?.run && spot?.event === this.#hovered?.event) return
    this.#hovered = spot
    this.#tell('hovered')
  }

  on(listener: (what: 'current' | 'hovered') => void): void {
    this.#listeners.push(listener)
  }

  #tell(what: 'current' | 'hovered'): void {
    for (const listener of this.#listeners) listener(what)
  }
}
