/** Where things are in a picture. Time goes to the right, one unit an event; lanes go down. Only numbers here: what is in view is drawn by draw.ts. */
import type { PictureSpan } from '../../../picture/picture.ts'
import type { RunModel } from './run-model.ts'

export const TOP = 8
/** Of a lane: the name of a block, the block with its events in the middle, one or two lines of text below, locks at the bottom. */
export const BLOCK_TOP = 20
export const BLOCK_HEIGHT = 28
export const MIDDLE = BLOCK_TOP + BLOCK_HEIGHT / 2
export const TEXT_LINE = BLOCK_TOP + BLOCK_HEIGHT + 13
export const TEXT_HEIGHT = 12
const ROOMY = 78
/** More lanes than this get less room each. */
const MANY = 6
const DENSE = 64
/** For the locks of a lane, a row for each that is held at the same time. */
export const LOCK_ROW = 14
const MOST_LOCK_ROWS = 3

const GAP = 0.3
const PADDING = 0.25
/** Of a block without events. */
const EMPTY = 0.5
const MARGIN = 0.5

/** Pixels a unit. Less than the least could not be told apart, so a picture is never drawn as a whole when it is large. */
export const LEAST_UNIT = 5
export const MOST_UNIT = 160

export class Layout {
  /** In units. */
  readonly width: number
  /** The height of a lane, in pixels. */
  readonly lane: number
  /** Lines of text below a block. */
  readonly texts: number
  readonly #lockRows: readonly number[]
  readonly #events: Float64Array
  readonly #starts: Float64Array
  readonly #ends: Float64Array
  readonly #fromOrder: Int32Array
  readonly #toOrder: Int32Array

  constructor(readonly run: RunModel) {
    const { blocks, arrows, size, picture } = run
    this.texts = picture.lanes.length > MANY ? 1 : 2
    this.#lockRows = rowsOf(run.spans)
    const rows = 1 + Math.max(-1, ...[picture.observed, picture.failing].map(({ spans }) => most(rowsOf(spans))))
    this.lane = (this.texts === 1 ? DENSE : ROOMY) + rows * LOCK_ROW
    this.#events = new Float64Array(size)
    this.#starts = new Float64Array(blocks.length)
    this.#ends = new Float64Array(blocks.length)
    let x = MARGIN
    for (const [i, { from, to }] of blocks.entries()) {
      this.#starts[i] = x
      x += to > from ? PADDING : EMPTY
      for (let e = from; e < to; e++) {
        this.#events[e] = x + 0.5
        x += 1
      }
      if (to > from) x += PADDING
      this.#ends[i] = x
      x += GAP
    }
    this.width = x + MARGIN
    const order = (end: 'from' | 'to'): Int32Array => Int32Array.from(arrows.keys()).sort((a, b) => arrows[a]![end] - arrows[b]![end])
    this.#fromOrder = order('from')
    this.#toOrder = order('to')
  }

  /** The middle of an event, in units. */
  at = (event: number): number => this.#events[event] ?? 0
  start = (block: number): number => this.#starts[block] ?? 0
  end = (block: number): number => this.#ends[block] ?? 0
  laneTop = (lane: number): number => TOP + lane * this.lane
  get height(): number {
    return TOP + this.run.picture.lanes.length * this.lane
  }

  /** Of a span: which line at the bottom of its lane, from below. */
  lockRow = (span: number): number => this.#lockRows[span] ?? 0

  /** Blocks that touch the stretch, from and after the last. */
  blocksIn(left: number, right: number): [number, number] {
    return [first(this.#ends, left), first(this.#starts, right)]
  }

  /** Arrows that begin or end in the stretch, each once. Those that only pass over it would hide what is there. */
  arrowsIn(left: number, right: number): number[] {
    const { arrows } = this.run
    const found = new Set<number>()
    const [from, to] = [first(this.#events, left), first(this.#events, right)]
    for (const [order, end] of [
      [this.#fromOrder, 'from'],
      [this.#toOrder, 'to'],
    ] as const) {
      let low = 0
      let high = order.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (arrows[order[middle]!]![end] < from) low = middle + 1
        else high = middle
      }
      for (let i = low; i < order.length && arrows[order[i]!]![end] < to; i++) found.add(order[i]!)
    }
    return [...found]
  }
}

/** Locks that are held at the same time lie in different rows. */
function rowsOf(spans: readonly PictureSpan[]): number[] {
  const ends = new Map<number, number[]>()
  return spans.map(({ lane, from, to }) => {
    const rows = ends.get(lane) ?? []
    ends.set(lane, rows)
    let row = rows.findIndex((end) => end <= from)
    if (row < 0) row = Math.min(rows.length, MOST_LOCK_ROWS - 1)
    rows[row] = to < 0 ? Infinity : to
    return row
  })
}

const most = (rows: readonly number[]): number => rows.reduce((a, b) => Math.max(a, b), -1)

/** The first index whose number is at least `least`. */
function first(sorted: Float64Array, least: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}
