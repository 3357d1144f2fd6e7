/** The visible part of a picture, as SVG. Elements are marked by `data-` attributes, for tests and for the pointer. */
import { cut } from '../../escape.ts'
import { plural, svg } from './element.ts'
import { BLOCK_HEIGHT, BLOCK_TOP, LOCK_ROW, MIDDLE, TEXT_HEIGHT, TEXT_LINE, TOP, type Layout } from './layout.ts'
import { lanesOf } from './lane.ts'
import { shortSite } from './place.ts'
import { eventText, isRead, isWrite, type RunModel } from './run-model.ts'

export interface View {
  /** Pixels scrolled. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Pixels a unit. */
  readonly unit: number
  /** Pixels for the names of lanes. */
  readonly names: number
  readonly current: number | undefined
  /** What was held back, and for how long. */
  readonly late: { readonly event: number; readonly text: string } | undefined
}

const LIKE_ITS_NAME = new Set(['lock', 'unlock', 'throw'])
const CHARACTER = 6.3
const FLIPPED_RADIUS = 10
/** Below this many pixels an event has no room for text of its own. */
const TEXT_UNIT = 12

export function draw(layout: Layout, view: View): SVGElement[] {
  const { run } = layout
  const { unit, names, width, height } = view
  const x = (units: number): number => round(names + units * unit - view.left)
  const laneY = (lane: number): number => (layout.laneTop(lane) ?? -Infinity) - view.top
  const lanes = lanesOf(run.picture)
  const visible = run.picture.lanes.map((_, lane) => lane).filter((lane) => laneY(lane) + layout.lane > 0 && laneY(lane) < height)
  const seen = new Set(visible)
  const [left, right] = [view.left / unit - 1, (view.left + width - names) / unit + 1]
  const inView = layout.blocksIn(left, right)

  const stripes = visible.map((lane, row) =>
    svg('rect', { class: `stripe ${row % 2 ? 'odd' : 'even'}`, x: 0, y: laneY(lane), width, height: layout.lane, 'data-stripe': lane }),
  )
  const spans = run.spans.flatMap(({ lane, lock, from, to }, i) => {
    const [begin, end] = [layout.at(from), to < 0 ? layout.width : layout.at(to)]
    if (!seen.has(lane) || end < left || begin > right || begin === end) return []
    const held = run.name(run.picture.strings[lock] ?? '')
    const y = laneY(lane) + layout.lane - 5 - layout.lockRow(i) * LOCK_ROW
    const [x1, x2] = [Math.max(x(begin), names - 4), Math.min(x(end), width + 4)]
    return [
      svg(
        'g',
        { class: 'span', 'data-span': run.text(lock), 'data-lane': lane },
        svg('title', {}, `${lanes[lane]!.letter} holds ${held}`),
        svg('line', { x1, x2, y1: y, y2: y }),
        svg('text', { x: x1 + 3, y: y - 4 }, cut(`holds ${held}`, Math.max(1, Math.floor((x2 - x1) / CHARACTER)))),
      ),
    ]
  })
  const blocks: SVGElement[] = []
  const events: SVGElement[] = []
  const labels = new Labels(view, laneY, layout.texts)
  const nextStart = new Map<number, number>()
  for (const b of inView.toReversed()) {
    const block = run.blocks[b]!
    if (!seen.has(block.lane)) continue
    const [x1, x2] = [x(layout.start(b)), x(layout.end(b))]
    const y = laneY(block.lane)
    const room = (nextStart.get(block.lane) ?? width) - Math.max(x1, names) - 6
    nextStart.set(block.lane, x1)
    blocks.push(
      svg(
        'g',
        { class: 'block', 'data-block': b, 'data-lane': block.lane },
        svg('title', {}, `${lanes[block.lane]!.letter}: ${run.text(block.name)}`),
        svg('rect', { x: x1, y: y + BLOCK_TOP, width: round(Math.max(2, x2 - x1)), height: BLOCK_HEIGHT, rx: 4 }),
        room > 24 &&
          x2 > names &&
          svg('text', { x: Math.max(x1, names + 2) + 1, y: y + BLOCK_TOP - 5 }, cut(run.text(block.name), Math.floor(room / CHARACTER))),
      ),
    )
    for (let e = block.from; e < block.to; e++) {
      if (!layout.isShown(e)) continue
      const at = x(layout.at(e))
      if (at < names - 20 || at > width + 20) continue
      events.push(mark(run, e, block.lane, at, y + MIDDLE, view.current === e))
      labels.want(run, e, block.lane, at, view.current === e)
    }
  }
  const arrows = layout.arrowsIn(left, right).map((i) => {
    const { from, to, kind, why } = run.arrows[i]!
    const [fromLane, toLane] = [run.laneOf(from), run.laneOf(to)]
    const [x1, y1, x2, y2] = [x(layout.at(from)), laneY(fromLane) + MIDDLE, x(layout.at(to)), laneY(toLane) + MIDDLE]
    const word = kind.replace(/[^a-z-]/gi, '')
    return svg(
      'g',
      { class: `arrow ${word}`, 'data-arrow': i, 'data-from': from, 'data-to': to },
      svg('title', {}, run.text(why)),
      svg('path', { class: 'reach', d: curve(x1, y1, x2, y2, fromLane === toLane) }),
      svg('path', { class: 'stroke', d: curve(x1, y1, x2, y2, fromLane === toLane), 'marker-end': `url(#head-${run.which})` }),
    )
  })
  const gaps = layout.gaps
    .filter(({ at }) => at >= left && at <= right)
    .map(({ at, events: n }) =>
      svg(
        'g',
        { class: 'gap', 'data-gap': n },
        svg('title', {}, `${plural(n, 'event')} not drawn`),
        svg('line', { x1: x(at), x2: x(at), y1: TOP - view.top, y2: layout.height - view.top }),
        svg('text', { x: x(at), y: TOP + 12 - view.top }, `… ${n.toLocaleString('en')}`),
        svg('text', { x: x(at), y: TOP + 24 - view.top }, n === 1 ? 'event' : 'events'),
      ),
    )
  const column = visible.map((lane) => laneLabel(run, lane, laneY(lane), names, layout.lane))
  return [
    svg('defs', {}, head(run.which)),
    ...stripes,
    ...gaps,
    ...held(layout, view, x, laneY),
    ...spans,
    ...clock(layout, inView, x, names, width, view.top),
    ...blocks,
    ...arrows,
    ...events.reverse(),
    ...labels.placed(),
    svg('rect', { class: 'column', x: 0, y: 0, width: names, height }),
    ...column,
  ]
}

/** What was late: shaded from the last thing its task did up to it. */
function held(
  { run, at, isShown }: Layout,
  { late, top }: View,
  x: (units: number) => number,
  laneY: (lane: number) => number,
): SVGElement[] {
  if (!late || !isShown(late.event)) return []
  const { letter } = run.lane(late.event)
  let before = late.event - 1
  while (before >= 0 && run.lane(before).letter !== letter) before--
  const from = x(before < 0 ? 0 : at(before) + 0.5)
  const to = x(at(late.event) - 0.5)
  const y = laneY(run.laneOf(late.event)) + BLOCK_TOP
  if (to - from < 4 || !Number.isFinite(y)) return []
  return [
    svg(
      'g',
      { class: 'held', 'data-held': late.event },
      svg('title', {}, late.text),
      svg('rect', { x: from, y, width: round(to - from), height: BLOCK_HEIGHT }),
      hasClock(run) && svg('rect', { class: 'held-clock', x: from, y: -top, width: round(to - from), height: TOP }),
      svg(
        'text',
        { x: round((from + to) / 2), y: y + BLOCK_HEIGHT / 2 + 4 },
        cut(late.text, Math.max(1, Math.floor((to - from) / CHARACTER))),
      ),
    ),
  ]
}

/** Milliseconds from the first block, where the run has a clock. */
function clock(layout: Layout, blocks: Int32Array, x: (units: number) => number, names: number, width: number, top: number): SVGElement[] {
  const { run } = layout
  if (!hasClock(run)) return []
  const zero = run.blocks[0]!.at
  const ticks: SVGElement[] = []
  let last = -Infinity
  for (const b of blocks) {
    const left = x(layout.start(b))
    if (left < names || left > width - 30 || left < last + 56) continue
    last = left
    ticks.push(
      svg('text', { class: 'tick', x: left, y: 12 - top }, time(run.blocks[b]!.at - zero)),
      svg('line', { class: 'tick', x1: left, x2: left, y1: 15 - top, y2: TOP - top }),
    )
  }
  return ticks
}

/** Threads have only an order. */
const hasClock = (run: RunModel): boolean => run.blocks.length > 0 && run.picture.lanes.some(({ kind }) => kind !== 'thread')

const time = (ms: number): string => (ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms).toLocaleString('en')} ms`)

function head(which: string): SVGElement {
  const box = { id: `head-${which}`, viewBox: '0 0 8 8', refX: 13, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }
  return svg('marker', box, svg('path', { class: 'head', d: 'M0 0 L8 4 L0 8 z' }))
}

/** From lane to lane a slanted S; inside a lane a bow above its block. */
function curve(x1: number, y1: number, x2: number, y2: number, same: boolean): string {
  if (same) {
    const bow = y1 - BLOCK_HEIGHT / 2 - Math.min(16, 6 + Math.abs(x2 - x1) / 12)
    return `M${x1} ${y1} C${x1} ${bow} ${x2} ${bow} ${x2} ${y2}`
  }
  const bend = Math.min(40, Math.abs(x2 - x1) / 2)
  return `M${x1} ${y1} C${round(x1 + bend)} ${y1} ${round(x2 - bend)} ${y2} ${x2} ${y2}`
}

/** Hollow: reads. Filled: writes. A diamond does both; locks are triangles; a failure is a star; anything else is a dot. A number: flipped. */
function mark(run: RunModel, event: number, lane: number, x: number, y: number, current: boolean): SVGElement {
  const does = run.does(event)
  const number = run.number(event)
  const kind =
    isRead(does) && isWrite(does) ? 'both' : isWrite(does) ? 'write' : isRead(does) ? 'read' : LIKE_ITS_NAME.has(does) ? does : 'other'
  const classes = ['event', kind, number === undefined ? '' : 'flipped', current ? 'current' : ''].filter(Boolean).join(' ')
  const r = number === undefined ? (kind === 'other' ? 3 : 5) : FLIPPED_RADIUS + (kind === 'lock' || kind === 'unlock' ? 3 : 0)
  return svg(
    'g',
    { class: classes, transform: `translate(${x} ${y})`, 'data-event': event, 'data-lane': lane, 'data-number': number },
    svg(
      'title',
      {},
      `${run.lane(event).letter} ${eventText(run, event)}${run.site(event) === '' ? '' : `, ${shortSite(run.site(event))}`}`,
    ),
    svg('rect', { class: 'reach', x: -12, y: -BLOCK_HEIGHT / 2, width: 24, height: BLOCK_HEIGHT }),
    current && svg('rect', { class: 'ring', x: -r - 5, y: -r - 5, width: 2 * r + 10, height: 2 * r + 10, rx: 6 }),
    shape(kind, r),
    number !== undefined && svg('text', { class: 'number', y: kind === 'lock' ? 8 : kind === 'unlock' ? 2 : 4 }, number),
  )
}

function shape(kind: string, r: number): SVGElement {
  if (kind === 'write') return svg('rect', { class: 'shape', x: -r, y: -r, width: 2 * r, height: 2 * r, rx: 2 })
  if (kind === 'both') return svg('path', { class: 'shape', d: `M0 ${-r - 2} L${r + 2} 0 L0 ${r + 2} L${-r - 2} 0 z` })
  if (kind === 'lock') return svg('path', { class: 'shape', d: `M${-r} ${r} L0 ${-r} L${r} ${r} z` })
  if (kind === 'throw') return svg('path', { class: 'shape', d: star(r + 4) })
  if (kind === 'unlock') return svg('path', { class: 'shape', d: `M${-r} ${-r} L0 ${r} L${r} ${-r} z` })
  return svg('circle', { class: 'shape', r })
}

function star(r: number): string {
  const points = Array.from({ length: 16 }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / 8, i % 2 === 0 ? r : r * 0.74]
    return `${round(far * Math.sin(angle))} ${round(-far * Math.cos(angle))}`
  })
  return `M${points.join(' L')} z`
}

function laneLabel(run: RunModel, lane: number, y: number, names: number, height: number): SVGElement {
  const { kind } = run.picture.lanes[lane]!
  const room = Math.floor((names - 38) / (CHARACTER + 0.6))
  const { name, letter, hue } = lanesOf(run.picture)[lane]!
  const from = shortSite(lanesOf(run.picture)[lane]!.from)
  const words =
    kind === 'outside'
      ? name.includes('outside')
        ? ''
        : 'outside the loop'
      : kind === 'thread'
        ? 'thread'
        : from === ''
          ? ''
          : `from ${from}`
  return svg(
    'g',
    { class: `lane ${kind}`, 'data-lane-name': lane, transform: `translate(0 ${y})` },
    svg('title', {}, `${name}${from === '' ? '' : `, from ${from}`}`),
    svg('rect', { class: `tag hue-${hue}`, x: 6, y: MIDDLE - 11, width: 22, height: 22, rx: 4 }),
    svg('text', { class: 'letter', x: 17, y: MIDDLE + 4.5 }, letter),
    svg('text', { class: 'name', x: 34, y: MIDDLE - 1 }, cut(name, room)),
    svg('text', { class: 'from', x: 34, y: MIDDLE + 12 }, cut(words, room)),
    svg('line', { class: 'rule', x1: 0, x2: names, y1: height, y2: height }),
  )
}

/** Texts of events, where there is room: the current one and flipped ones first. */
class Labels {
  readonly #wanted: { lane: number; x: number; text: string; weight: number }[] = []

  constructor(
    readonly view: View,
    readonly laneY: (lane: number) => number,
    readonly rows: number,
  ) {}

  want(run: RunModel, event: number, lane: number, x: number, current: boolean): void {
    const weight = current ? 2 : run.number(event) === undefined ? 0 : 1
    const does = run.does(event)
    // The name of the block says which callback it is.
    if (weight === 0 && (this.view.unit < TEXT_UNIT || does === 'callback')) return
    const value = run.value(event)
    const what = run.named(event)
    const only = value === undefined ? '' : cut(value, 16)
    const shown = value === undefined ? '' : isWrite(does) ? ` = ${only}` : isRead(does) ? ` → ${only}` : ` (${only})`
    const text = `${run.verb(event)} ${cut(what, 24)}${shown}`.trim()
    this.#wanted.push({ lane, x, text, weight })
  }

  placed(): SVGElement[] {
    const taken = new Map<string, [number, number][]>()
    const least = this.view.names + 4
    return this.#wanted
      .sort((a, b) => b.weight - a.weight || a.x - b.x)
      .flatMap(({ lane, x, text, weight }) => {
        const half = (text.length * CHARACTER * (weight > 0 ? 1.06 : 1)) / 2 + 4
        const middle = Math.max(least + half, Math.min(this.view.width - half, x))
        if (weight === 0 && middle !== x) return []
        for (let row = 0; row < (weight > 0 ? this.rows : 1); row++) {
          const key = `${lane} ${row}`
          const others = taken.get(key) ?? []
          if (others.some(([from, to]) => middle - half < to && middle + half > from)) continue
          taken.set(key, [...others, [middle - half, middle + half]])
          const y = this.laneY(lane) + TEXT_LINE + row * TEXT_HEIGHT
          return [svg('text', { class: `label${weight > 0 ? ' strong' : ''}`, x: round(middle), y }, text)]
        }
        return []
      })
  }
}

const round = (x: number): number => Math.round(x * 10) / 10
