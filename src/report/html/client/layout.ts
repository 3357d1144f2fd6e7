/** Where things are in a picture. Time goes to the right, one unit an event; lanes go down. Only numbers here: what is in view is drawn by draw.ts. */
import type { PictureArrow, PictureSpan } from '../../../picture/picture.ts'
import { wholeOf, type Fold } from './fold.ts'
import type { RunModel } from './run-model.ts'

/** For the clock. */
export const TOP = 22
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

const MOST_STRETCHES = 200
const GAP = 0.3
const PADDING = 0.25
/** Of a block without events. */
const EMPTY = 0.5
/** Of a stretch that is only counted. */
const FOLDED = 1.6
const MARGIN = 0.5

/** Pixels a unit. Less than the least could not be told apart, so a picture is never drawn as a whole when it is large. */
export const LEAST_UNIT = 5
export const MOST_UNIT = 160

/** A stretch of events that are only counted. */
export interface Gap {
  readonly at: number
  readonly events: number
}

export class Layout {
  /** In units. */
  readonly width: number
  /** The height of a lane, in pixels. */
  readonly lane: number
  /** Lines of text below a block. */
  readonly texts: number
  readonly gaps: readonly Gap[]
  readonly #lockRows: readonly number[]
  readonly #events: Float64Array
  readonly #starts: Float64Array
  readonly #ends: Float64Array
  /** Blocks of which something is drawn, and where those begin and end. */
  readonly #drawn: Int32Array
  readonly #drawnStarts: Float64Array
  readonly #drawnEnds: Float64Array
  readonly #fromOrder: Int32Array
  readonly #toOrder: Int32Array

  constructor(
    readonly run: RunModel,
    readonly fold: Fold = wholeOf(run),
  ) {
    const { blocks, arrows, size, picture } = run
    const { shown, rows: at, count } = fold
    this.texts = count > MANY ? 1 : 2
    this.#lockRows = rowsOf(run.spans)
    const rows = 1 + Math.max(-1, ...[picture.observed, picture.failing].map(({ spans }) => most(rowsOf(spans))))
    this.lane = (this.texts === 1 ? DENSE : ROOMY) + rows * LOCK_ROW
    this.#events = new Float64Array(size)
    this.#starts = new Float64Array(blocks.length)
    this.#ends = new Float64Array(blocks.length)
    const gaps: { at: number; events: number }[] = []
    let x = MARGIN
    let open: { at: number; events: number } | undefined
    const skip = (events: number): number => {
      if (!open) {
        gaps.push((open = { at: x + FOLDED / 2, events: 0 }))
        x += FOLDED
      }
      open.events += events
      return open.at
    }
    for (let i = 0; i < blocks.length; i++) {
      const { lane, from, to } = blocks[i]!
      let inside = 0
      if (at[lane]! >= 0) for (let e = from; e < to; e++) inside += shown[e]!
      if (at[lane]! < 0 || (to > from && inside === 0)) {
        if (to > from) this.#events.fill(skip(to - from), from, to)
        this.#starts[i] = this.#ends[i] = x
        continue
      }
      if (to === from && open) {
        this.#starts[i] = this.#ends[i] = x
        continue
      }
      let first = true
      for (let e = from; e < to; e++) {
        if (shown[e] === 0) {
          this.#events[e] = skip(1)
          continue
        }
        if (first) {
          this.#starts[i] = x
          x += PADDING
          first = false
        }
        open = undefined
        this.#events[e] = x + 0.5
        x += 1
      }
      if (to === from) {
        open = undefined
        this.#starts[i] = x
        x += EMPTY
      } else if (!open) x += PADDING
      this.#ends[i] = x
      x += GAP
    }
    this.gaps = gaps
    this.width = x + MARGIN
    this.#drawn = those(blocks.length, (i) => this.#ends[i]! > this.#starts[i]!)
    this.#drawnStarts = pick(this.#starts, this.#drawn)
    this.#drawnEnds = pick(this.#ends, this.#drawn)
    const { from, to } = ordersOf(arrows)
    const drawn = (i: number): boolean => shown[arrows[i]!.from] === 1 && shown[arrows[i]!.to] === 1
    this.#fromOrder = from.filter(drawn)
    this.#toOrder = to.filter(drawn)
  }

  /** The middle of an event, in units. */
  at = (event: number): number => this.#events[event] ?? 0
  start = (block: number): number => this.#starts[block] ?? 0
  end = (block: number): number => this.#ends[block] ?? 0
  /** Undefined of a task that is not drawn. */
  laneTop = (lane: number): number | undefined => {
    const row = this.fold.rows[lane] ?? -1
    return row < 0 ? undefined : TOP + row * this.lane
  }
  isShown = (event: number): boolean => this.fold.shown[event] === 1
  get height(): number {
    return TOP + this.fold.count * this.lane
  }

  /** Of a span: which line at the bottom of its lane, from below. */
  lockRow = (span: number): number => this.#lockRows[span] ?? 0

  /** Blocks that touch the stretch and of which something is drawn, in order. */
  blocksIn(left: number, right: number): Int32Array {
    return this.#drawn.subarray(first(this.#drawnEnds, left), first(this.#drawnStarts, right))
  }

  /** Stretches of events that are drawn there: the first and the last event of each. */
  shownIn(left: number, right: number): [number, number][] {
    const { shown } = this.fold
    const end = first(this.#events, right)
    const found: [number, number][] = []
    for (let e = first(this.#events, left); e < end && found.length < MOST_STRETCHES; e++) {
      if (shown[e] === 0) continue
      const last = found.at(-1)
      if (last && last[1] === e - 1) last[1] = e
      else found.push([e, e])
    }
    return found
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

interface ArrowOrders {
  readonly from: Int32Array
  readonly to: Int32Array
}

/** Arrows by their first and by their last event: sorted once for a run, however often its layout changes. */
const arrowOrders = new WeakMap<readonly PictureArrow[], ArrowOrders>()

function ordersOf(arrows: readonly PictureArrow[]): ArrowOrders {
  let orders = arrowOrders.get(arrows)
  if (!orders) {
    const by = (end: 'from' | 'to'): Int32Array => Int32Array.from(arrows.keys()).sort((a, b) => arrows[a]![end] - arrows[b]![end])
    arrowOrders.set(arrows, (orders = { from: by('from'), to: by('to') }))
  }
  return orders
}

function pick(numbers: Float64Array, which: Int32Array): Float64Array {
  const picked = new Float64Array(which.length)
  for (let i = 0; i < which.length; i++) picked[i] = numbers[which[i]!]!
  return picked
}

/** Locks that are held at the same time lie in different rows. */
const known = new WeakMap<readonly PictureSpan[], number[]>()

function rowsOf(spans: readonly PictureSpan[]): number[] {
  let rows = known.get(spans)
  if (!rows) known.set(spans, (rows = rowsFor(spans)))
  return rows
}

function rowsFor(spans: readonly PictureSpan[]): number[] {
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

/** The numbers below `count` that pass. */
function those(count: number, passes: (i: number) => boolean): Int32Array {
  const kept = new Int32Array(count)
  let n = 0
  for (let i = 0; i < count; i++) if (passes(i)) kept[n++] = i
  return kept.subarray(0, n)
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
