/**
 * A run before it is cut to the size of a picture: the drawn events, in the order of the run. loop.ts makes one of an event loop, threads.ts one of
 * threads. An event is identified by its position in that order. Texts are made only for what is drawn.
 */
import type { OrderRow } from '../schedule/order.ts'
import type { EventId, Trace } from '../trace/trace.ts'

/** A number in the order of the drawn events. */
export type EventPlace = number

/** What comes before an event in every run that has both, and why. */
export interface Cause {
  readonly kind: 'post' | 'promise' | 'message' | 'wake' | 'fork' | 'join' | 'lock'
  readonly from: EventPlace
  readonly why: string
}

export interface Held {
  /** The first place of it: its lane is the lane of the span. */
  readonly from: EventPlace
  /** NONE: to the end. */
  readonly to: EventPlace
  readonly lock: string
}

export interface Sketch {
  readonly trace: Trace
  readonly events: ArrayLike<EventId>
  /** The turn, the operation outside the loop, or the stretch of a thread. Places of one part follow each other. */
  readonly part: ArrayLike<number>
  /** The async chain, the operation or the thread: `unitName` is the same in every run. */
  readonly unit: ArrayLike<number>
  /** Its op and its site, as the trace has them; the op of an access that was written late is that of any other. */
  readonly op: ArrayLike<number>
  readonly site: ArrayLike<number>
  unitName(unit: number): string
  partName(place: EventPlace): string
  timeOf(place: EventPlace): number
  does(place: EventPlace): string
  what(place: EventPlace): string
  value(place: EventPlace): string
  causes(place: EventPlace): Cause[]
  /** Places that lead to this one, nearest first. */
  above(place: EventPlace): EventPlace[]
  /** The places of what a row shows. `exactly`: the row is of this run, so its names are those of this run. */
  find(row: OrderRow, exactly: boolean): EventPlace[]
  /** Where the program failed, as far as events show it. */
  failures(): EventPlace[]
  held(): Held[]
}
