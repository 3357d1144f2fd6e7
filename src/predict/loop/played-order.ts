/** The positions of units in the recorded order and in a simulated one. */
import { isReady, type Doing } from '../../causal/loop/leads.ts'
import type { LoopView } from '../../causal/loop/turns.ts'
import type { Unit } from '../../trace/loop.ts'
import type { Played } from './simulate.ts'

/** A unit and its time in ms. */
export interface Placed {
  readonly unit: Unit
  readonly at: number
}

const recordedAt = (view: LoopView, unit: Unit): number => view.turnTime[view.turnOf(unit)] ?? view.turnTime[view.turnCount - 1]!

export const recordedUnits = (view: LoopView, units: readonly Unit[]): Placed[] =>
  units.map((unit) => ({ unit, at: recordedAt(view, unit) })).sort((a, b) => view.positionOf(a.unit) - view.positionOf(b.unit))

export class PlayedOrder {
  /** Made when it is first asked for. */
  private places: Map<Unit, number> | undefined

  constructor(
    private readonly view: LoopView,
    readonly played: Played,
  ) {}

  private get place(): Map<Unit, number> {
    if (this.places) return this.places
    const places = new Map<Unit, number>()
    for (let i = this.played.order.length - 1; i >= 0; i--) places.set(this.played.order[i]!, i)
    return (this.places = places)
  }

  /** Below 0 for what ran as recorded; Infinity for what is not in it. */
  placeOf(unit: Unit): number {
    const { view, played } = this
    const position = view.positionOf(unit)
    return position < 2 * played.front ? position - 2 * played.front : (this.place.get(unit) ?? Infinity)
  }

  /** Does it happen in its unit: has all run before that it had waited for? What is not in this order is taken to. */
  isThere(doing: Doing): boolean {
    const { view, played } = this
    // Most things need nothing, and then nobody need know where they are.
    if (isReady(view, doing, played.front, () => false)) return true
    const place = this.placeOf(doing.unit)
    if (place < 0 || place === Infinity) return true
    return isReady(view, doing, played.front, (turn) => this.placeOf(turn) < place)
  }

  /** Of two that it does not get to, the order is the recorded one. What does not happen in its unit comes later, nobody knows when. */
  isBefore(a: Doing, b: Doing): boolean {
    if (!this.isThere(a)) return false
    if (a.unit === b.unit) return a.event < b.event
    const [x, y] = [this.placeOf(a.unit), this.placeOf(b.unit)]
    return x < y || (x === y && this.view.positionOf(a.unit) < this.view.positionOf(b.unit))
  }

  /** In this order; what is not in it comes after it, by `rank`. */
  units(units: readonly Unit[], rank: (unit: Unit) => number): Placed[] {
    const { played, view } = this
    const end = played.times.at(-1) ?? 0
    return units
      .map((unit) => {
        const place = this.placeOf(unit)
        if (place < 0) return { unit, at: recordedAt(view, unit), place }
        if (place === Infinity) return { unit, at: end, place: played.order.length + rank(unit) }
        return { unit, at: played.times[place]!, place }
      })
      .sort((a, b) => a.place - b.place)
      .map(({ unit, at }) => ({ unit, at }))
  }
}
