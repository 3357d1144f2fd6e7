/**
 * A finding as a picture: the recorded run and the failing one around the flip, ready to be drawn. Columns of numbers, every string once, so that a
 * hundred thousand events are a few megabytes of JSON. Made from traces (pictures.ts), part of the JSON of a finding, drawn by report/html.
 *
 * Positions are orders only: parts of the run that are left out are only counted.
 */

/** An index into `strings` of the picture; -1 for none. */
export type StringIndex = number
/** An index into the columns of a run; -1 for none. */
export type EventIndex = number

export interface Picture {
  readonly strings: readonly string[]
  /** Top to bottom. Both runs have the same lanes. */
  readonly lanes: readonly PictureLane[]
  readonly observed: PictureRun
  readonly failing: PictureRun
  /** `replay`: recorded while it failed. `prediction`: the order that was computed and checked; its values are not known. */
  readonly failingIs: 'replay' | 'prediction'
  /** How sentences say what events do, where the word alone does not tell: `free` is `frees`. */
  readonly verbs?: Readonly<Record<string, string>>
}

export interface PictureLane {
  /** `main`, `worker 1`, or what an async chain is about: `fs.readFile`. */
  readonly name: StringIndex
  /** `chain`: an async chain on the loop. `outside`: the thread pool, the kernel, other processes. */
  readonly kind: 'chain' | 'thread' | 'outside'
  /** Where it was begun: `file:line:column function < …`. */
  readonly from: StringIndex
}

/** Every column has one entry per event, in the order of the run. */
export interface PictureRun {
  readonly blocks: readonly PictureBlock[]
  /** What it does: `read`, `write`, `call`, `post`, `load`, `update`, `lock`, `unlock`, `wait`, `wake`, `send`, `receive`, `fork`, `join`, … */
  readonly does: readonly StringIndex[]
  /** The location, lock, queue or function it does it to. */
  readonly what: readonly StringIndex[]
  readonly value: readonly StringIndex[]
  /** `file:line:column function`; of posts and calls the call chain, innermost first: `… < …`. */
  readonly site: readonly StringIndex[]
  /** The same event in the other run, as far as there is one. */
  readonly same: readonly EventIndex[]
  readonly arrows: readonly PictureArrow[]
  readonly spans: readonly PictureSpan[]
  /** The events whose order the failing run turns round, or that show the failure. */
  readonly flipped: readonly EventIndex[]
  /** By entry of `flipped` the row of the finding that names it, from 1; 0 where none does. Older pictures have none of these. */
  readonly rows?: readonly number[]
  /** Events of the run that are not in the picture: how many come before the first flipped one, and how many after it. */
  readonly cut: { readonly before: number; readonly after: number }
}

/** A turn of the loop, an operation outside it, or a stretch of a thread in which no other ran. Blocks follow each other; their events too. */
export interface PictureBlock {
  readonly lane: number
  readonly name: StringIndex
  readonly from: EventIndex
  /** After its last event. A block without events is drawn narrow. */
  readonly to: EventIndex
  /** Milliseconds since the start; of threads the place in the order. */
  readonly at: number
}

/** `from` comes before `to` in every run, and why. */
export interface PictureArrow {
  /** `post`, `message`, `wake`, `fork`, `join`, `promise`, `lock`. */
  readonly kind: string
  readonly from: EventIndex
  readonly to: EventIndex
  /** A sentence: "fs.readFile (a.js:3) comes before its callback, because it posts it." */
  readonly why: StringIndex
}

/** A lock that is held. */
export interface PictureSpan {
  readonly lane: number
  readonly lock: StringIndex
  readonly from: EventIndex
  /** -1: until the end of the picture. */
  readonly to: EventIndex
}
