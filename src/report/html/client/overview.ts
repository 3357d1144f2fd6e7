/** A strip over a long run: the whole of it from left to right, a line for each task, the numbered events, and the visible part. A click goes there. */
import { h, svg } from './element.ts'
import type { Focus } from './focus.ts'
import { lanesOf } from './lane.ts'
import type { RunModel } from './run-model.ts'

/** Shorter runs are in view as a whole. */
export const LONG = 60
const BUCKETS = 240
const HEIGHT = 26
const WIDTH = 1000
const MOST_LINES = 6

export interface Overview {
  readonly element: HTMLElement
  /** The stretches in view: the first and the last event of each. */
  show(stretches: readonly (readonly [number, number])[]): void
}

export function overview(run: RunModel, focus: Focus): Overview | undefined {
  if (run.size <= LONG) return undefined
  const x = (event: number): number => Math.round((event / Math.max(1, run.size - 1)) * WIDTH * 10) / 10
  const view = svg('path', { class: 'window' })
  const current = svg('line', { class: 'now', y1: 0, y2: HEIGHT })
  const marks = run.flipped
    .slice(0, 20)
    .map((event) => svg('line', { class: 'flip', x1: x(event), x2: x(event), y1: 0, y2: HEIGHT, 'data-flip': event }))
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...lines(run, x),
    view,
    ...marks,
    current,
  )
  const slider = h('input', {
    type: 'range',
    min: 1,
    max: run.size,
    value: (focus.in(run.which) ?? 0) + 1,
    'aria-label': `Where in the ${focus.names[run.which]} order, of ${run.size.toLocaleString('en')} events`,
    input: () => focus.go(run.which, slider.valueAsNumber - 1),
  })
  const place = (): void => {
    const event = focus.in(run.which)
    if (event === undefined) return
    slider.value = String(event + 1)
    current.setAttribute('x1', String(x(event)))
    current.setAttribute('x2', String(x(event)))
  }
  place()
  focus.on((what) => what === 'current' && place())
  return {
    element: h('div', { class: 'overview', 'data-overview': run.which }, picture, slider),
    show(stretches) {
      const box = ([from, to]: readonly [number, number]): string => {
        const wide = Math.max(3, x(to) - x(from))
        return `M${x(from)} 0h${wide}v${HEIGHT}h${-wide}z`
      }
      view.setAttribute('d', stretches.map(box).join(''))
    },
  }
}

/** A path for each task: a dash wherever it has an event. The last line is for all tasks there is no room for. */
function lines(run: RunModel, x: (event: number) => number): SVGElement[] {
  const lanes = lanesOf(run.picture)
  const busy = new Map<number, Uint8Array>()
  for (const { lane, from, to } of run.blocks) {
    if (to <= from) continue
    let buckets = busy.get(lane)
    if (!buckets) busy.set(lane, (buckets = new Uint8Array(BUCKETS)))
    buckets.fill(1, Math.floor((from * BUCKETS) / run.size), Math.floor(((to - 1) * BUCKETS) / run.size) + 1)
  }
  const step = (HEIGHT - 6) / Math.max(1, Math.min(busy.size, MOST_LINES) - 1)
  return [...busy].map(([lane, buckets], row) => {
    const y = Math.round((3 + Math.min(row, MOST_LINES - 1) * step) * 10) / 10
    let d = ''
    for (let b = 0; b < BUCKETS; b++)
      if (buckets[b] === 1) d += `M${x((b * run.size) / BUCKETS)} ${y}h${Math.round((WIDTH / BUCKETS) * 10) / 10}`
    return svg('path', { class: `busy stroke-${lanes[lane]?.hue ?? 0}`, d })
  })
}
