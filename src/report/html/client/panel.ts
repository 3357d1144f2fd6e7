/** One order as a picture that scrolls, zooms and can be dragged. Both orders of a finding share one zoom. */
import { Ahead } from './ahead.ts'
import { draw } from './draw.ts'
import { h, plural, svg } from './element.ts'
import { badge } from './event-view.ts'
import { overview } from './overview.ts'
import type { Focus } from './focus.ts'
import { foldOf, wholeOf } from './fold.ts'
import { LEAST_UNIT, Layout, MOST_UNIT } from './layout.ts'
import { lifetime } from './lifetime.ts'
import { Room } from './room.ts'
import { otherOf, type RunModel } from './run-model.ts'

const READABLE = 30
const MOST_BADGES = 8
const PRINT_WIDTH = 690

export class Zoom {
  unit = 0
  /** What it is to begin with. */
  first: () => number = () => READABLE
  readonly #listeners: (() => void)[] = []
  on(listener: () => void): void {
    this.#listeners.push(listener)
  }
  set(unit: number): void {
    this.unit = Math.max(LEAST_UNIT, Math.min(MOST_UNIT, unit))
    for (const listener of this.#listeners) listener()
  }
}

/** What was held back in the failing run, and for how long. */
export type Late = { readonly event: number; readonly text: string } | undefined

export interface Panel {
  readonly element: HTMLElement
  /** Pixels a unit at which all of it is in view. */
  fit(): number
  reveal(event: number): void
  /** All tasks and events, or those that take part. */
  fold(on: boolean): void
}

export function panel(run: RunModel, focus: Focus, zoom: Zoom, title: string, late?: Late): Panel {
  const other = focus.runs[otherOf(run.which)]
  let layout = new Layout(run, foldOf(run, other))
  const lanes = run.picture.lanes.length
  const view = svg('svg', {
    class: 'view',
    role: 'img',
    'aria-label': `${title}: ${plural(run.size, 'event')} in ${plural(lanes, 'lane')}`,
  })
  const canvas = h('div', { class: 'canvas' }, view)
  const label = `Picture of the ${focus.names[run.which]} order. Arrow keys step, plus and minus zoom.`
  const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'group', 'aria-label': label }, canvas)
  const strip = overview(run, focus)
  const element = framed(run, title, scroller, strip?.element)
  let unit = 0
  let asked = 0
  let printing = false
  const room = new Room(scroller)
  room.fit(layout.height)
  const ahead = new Ahead(run)
  /** To be brought into view when it is drawn next. */
  let wanted: number | undefined

  const names = (): number => (room.width < 560 && !printing ? 92 : 176)
  const width = (): number => (printing ? PRINT_WIDTH : room.width)
  const fit = (): number => {
    if (room.width === 0) room.measure()
    return (width() - names() - 8) / layout.width
  }

  function redraw(): void {
    asked = 0
    if (!element.isConnected || width() === 0) return
    if (wanted !== undefined) reveal(wanted)
    wanted = undefined
    const height = printing ? layout.height : Math.min(room.height, Math.max(layout.height, 1))
    const [x, y] = printing ? [0, 0] : [scroller.scrollLeft, scroller.scrollTop]
    const drawn = printing ? Math.max(LEAST_UNIT, fit()) : unit
    view.setAttribute('width', String(width()))
    view.setAttribute('height', String(height))
    view.replaceChildren(
      ...draw(layout, { left: x, top: y, width: width(), height, unit: drawn, names: names(), current: focus.in(run.which), late }),
    )
    strip?.show(layout.shownIn(x / drawn, (x + width() - names()) / drawn))
    hover()
    setTimeout(() => ahead.prepare(layout, focus.in(run.which)))
  }
  const later = (): void => {
    asked ||= requestAnimationFrame(redraw)
  }
  const hover = (): void => markHovered(view, focus.hoveredIn(run.which))
  function resize(): void {
    if (!element.isConnected) return
    const same = !room.measure() && unit === zoom.unit && unit > 0
    if (same || room.width === 0) return
    if (zoom.unit === 0) zoom.set(zoom.first())
    const middle = unit === 0 ? 0 : (scroller.scrollLeft + (room.width - names()) / 2) / unit
    const first = unit === 0
    unit = zoom.unit
    sized()
    if (first) centre()
    else scroller.scrollLeft = middle * unit - (room.width - names()) / 2
    redraw()
  }
  function sized(): void {
    canvas.style.width = `${Math.max(room.width, Math.ceil(layout.width * unit) + names())}px`
    canvas.style.height = `${layout.height}px`
  }
  /** Both runs have the middle of what decides at the same place. */
  function centre(): void {
    const [from, to] = [run.flipped[0] ?? 0, run.flipped.at(-1) ?? 0]
    scroller.scrollLeft = ((layout.at(from) + layout.at(to)) / 2) * unit - (room.width - names()) / 2
    reveal(focus.in(run.which) ?? from)
  }
  function reveal(event: number): void {
    if (unit === 0) return
    const x = layout.at(event) * unit
    const wide = room.width - names()
    const [from, to] = [scroller.scrollLeft + 40, scroller.scrollLeft + wide - 40]
    if (x < from || x > to) scroller.scrollLeft = x - wide / 2
    const y = layout.laneTop(run.laneOf(event))
    if (y === undefined) return
    if (y < scroller.scrollTop) scroller.scrollTop = y
    else if (y + layout.lane > scroller.scrollTop + room.height) scroller.scrollTop = y + layout.lane - room.height
  }

  scroller.addEventListener('scroll', later, { passive: true })
  new ResizeObserver(resize).observe(scroller)
  zoom.on(resize)
  focus.on((what) => {
    if (what === 'hovered') return hover()
    const event = focus.in(run.which)
    if (event !== undefined) {
      if (!layout.isShown(event)) unfolded(event)
      wanted = event
    }
    later()
  })
  function unfolded(event: number): void {
    layout = ahead.with(layout, event)
    room.fit(layout.height)
    sized()
  }
  const print = (on: boolean) => (): void => {
    printing = on
    redraw()
  }
  addEventListener('beforeprint', print(true), { signal: lifetime() })
  addEventListener('afterprint', print(false), { signal: lifetime() })
  listen(scroller, view, run, focus, zoom)
  const fold = (on: boolean): void => {
    layout = new Layout(run, on ? foldOf(run, other) : wholeOf(run))
    room.fit(layout.height)
    sized()
    centre()
    later()
  }
  return { element, fit, reveal, fold }
}

/** The event under the pointer, and its arrows. */
function markHovered(view: SVGElement, event: number | undefined): void {
  for (const old of view.querySelectorAll('.hovered')) old.classList.remove('hovered')
  if (event === undefined) return
  for (const found of view.querySelectorAll(`[data-event="${event}"],[data-from="${event}"],[data-to="${event}"]`))
    found.classList.add('hovered')
}

/** A run under its title, with the numbered events in its order. */
function framed(run: RunModel, title: string, scroller: HTMLElement, strip: HTMLElement | undefined): HTMLElement {
  const { before, after } = run.cut
  const numbers = run.flipped.map((e) => run.number(e))
  const badges = numbers.filter((number, i) => number !== numbers[i - 1])
  const left = [before > 0 ? `${plural(before, 'event')} before` : '', after > 0 ? `${plural(after, 'event')} after` : ''].filter(Boolean)
  return h(
    'div',
    { class: 'panel', 'data-run': run.which },
    h(
      'div',
      { class: 'panel-head' },
      h('h3', {}, title),
      badges.length > 1 &&
        badges.length <= MOST_BADGES &&
        h('span', { class: 'order', title: 'The numbered events in this order' }, ...badges.map((number) => badge(number))),
      left.length > 0 && h('span', { class: 'quiet' }, `not shown: ${left.join(', ')}`),
    ),
    strip,
    scroller,
  )
}

function listen(scroller: HTMLElement, view: SVGElement, run: RunModel, focus: Focus, zoom: Zoom): void {
  const eventAt = (target: EventTarget | null): number | undefined => {
    const found = target instanceof Element ? target.closest('[data-event]') : undefined
    return found ? Number(found.getAttribute('data-event')) : undefined
  }
  let drag: { x: number; y: number; left: number; top: number; moved: boolean } | undefined
  view.addEventListener('pointerover', ({ target }) => {
    const event = eventAt(target)
    focus.hover(event === undefined ? undefined : { run: run.which, event })
  })
  view.addEventListener('pointerleave', () => focus.hover(undefined))
  view.addEventListener('pointerdown', ({ pointerType, button, clientX, clientY }) => {
    if (pointerType !== 'mouse' || button !== 0) return
    drag = { x: clientX, y: clientY, left: scroller.scrollLeft, top: scroller.scrollTop, moved: false }
  })
  view.addEventListener('pointermove', ({ clientX, clientY, buttons }) => {
    if (!drag || buttons === 0) return
    if (!drag.moved && Math.hypot(clientX - drag.x, clientY - drag.y) < 5) return
    drag.moved = true
    scroller.scrollLeft = drag.left - (clientX - drag.x)
    scroller.scrollTop = drag.top - (clientY - drag.y)
  })
  view.addEventListener('click', ({ target }) => {
    const dragged = drag?.moved
    drag = undefined
    const event = eventAt(target)
    if (!dragged && event !== undefined) focus.go(run.which, event)
  })
  scroller.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      zoom.set(zoom.unit * Math.exp(-event.deltaY / 300))
    },
    { passive: false },
  )
}
