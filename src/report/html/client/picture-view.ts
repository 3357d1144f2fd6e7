/** Both orders one above the other, with the same lanes, numbers and zoom. On a narrow screen a switch shows one at a time. */
import { h } from './element.ts'
import type { Focus } from './focus.ts'
import { foldOf } from './fold.ts'
import { Zoom, panel, type Late } from './panel.ts'
import type { RunModel, Which } from './run-model.ts'

export interface PictureView {
  readonly element: HTMLElement
  readonly zoom: Zoom
  fit(): void
}

const LEGEND: readonly (readonly [string, string])[] = [
  ['badge', 'order decides'],
  ['read', 'reads'],
  ['write', 'writes'],
  ['both', 'reads and writes'],
  ['arrow', 'must come before'],
  ['span', 'holds a lock'],
  ['held', 'added delay'],
]

/** Larger than this only at will: a picture of five events need not fill a wall. */
const WIDEST_AT_FIRST = 96
/** When all of it would be smaller than this, it begins larger, at the flip. */
const NARROWEST_AT_FIRST = 13
const READABLE = 30
const READABLE_NARROW = 20

export function pictureView(focus: Focus, failed: boolean, late: string): PictureView {
  const zoom = new Zoom()
  const { observed, failing } = focus.runs
  const computed = failing.picture.failingIs === 'prediction'
  const panels = [
    panel(observed, focus, zoom, 'Recorded order: this run went well'),
    panel(
      failing,
      focus,
      zoom,
      computed
        ? `${failed ? 'Failing' : 'The other'} order: computed, and checked to be possible`
        : failed
          ? 'Failing order: recorded while it failed'
          : 'The other order: run again, nothing broke',
      lateIn(failing, observed, late),
    ),
  ]
  const hidden = [observed, failing].some((run) => foldOf(run, run === observed ? failing : observed).shown.includes(0))
  let folded = true
  const unfold = h('button', { type: 'button', 'aria-pressed': 'false', 'data-unfold': '', click: () => fold(!folded) }, 'all events')
  function fold(on: boolean): void {
    folded = on
    unfold.setAttribute('aria-pressed', String(!on))
    for (const p of panels) p.fold(on)
    zoom.set(zoom.first())
  }
  const fits = (): number[] => panels.map((p) => p.fit()).filter((unit) => unit > 0)
  zoom.first = () => {
    const unit = Math.min(...fits())
    return unit >= NARROWEST_AT_FIRST ? Math.min(unit, WIDEST_AT_FIRST) : innerWidth < 700 ? READABLE_NARROW : READABLE
  }
  const both = h('div', { class: 'panels' }, ...panels.map((p) => p.element))
  const tabs = (['observed', 'failing'] as const).map((which) =>
    h(
      'button',
      { type: 'button', 'data-show': which, click: () => show(which) },
      which === 'observed' ? 'Recorded' : failed ? 'Failing' : 'Other',
    ),
  )
  function show(which: Which): void {
    both.dataset['show'] = which
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset['show'] === which))
  }
  show(focus.current.run)
  focus.on((what) => {
    if (what !== 'current') return
    show(focus.current.run)
  })
  const fit = (): void => zoom.set(Math.min(...fits()))
  const button = (text: string, label: string, click: () => void): HTMLElement =>
    h('button', { type: 'button', 'aria-label': label, title: label, click }, text)
  const used = new Set(['badge', ...(observed.arrows.length + failing.arrows.length > 0 ? ['arrow'] : [])])
  if (late !== '') used.add('held')
  if (observed.spans.length + failing.spans.length > 0) used.add('span')
  const element = h(
    'div',
    { class: 'pictures' },
    h(
      'div',
      { class: 'picture-bar' },
      h('span', { class: 'group switch', role: 'group', 'aria-label': 'Which order' }, ...tabs),
      h(
        'span',
        { class: 'legend', 'aria-hidden': 'true' },
        ...LEGEND.filter(([sign]) => used.has(sign) || ['read', 'write', 'both'].includes(sign)).map(([sign, text]) =>
          h('span', {}, h('i', { class: `sign-${sign}` }, sign === 'badge' ? '1' : ''), text),
        ),
      ),
      h(
        'span',
        { class: 'group zoom' },
        hidden && unfold,
        button('−', 'Smaller (-)', () => zoom.set(zoom.unit / 1.4)),
        button('+', 'Larger (+)', () => zoom.set(zoom.unit * 1.4)),
        button('all', 'All of it (0)', fit),
      ),
    ),
    both,
  )
  return { element, zoom, fit }
}

/** The numbered event that has another one before it that it had after it: it is what was late. */
export function lateIn(failing: RunModel, recorded: RunModel, text: string): Late {
  const places = new Map<number | undefined, number>()
  for (const [i, e] of recorded.flipped.entries()) if (!places.has(recorded.number(e))) places.set(recorded.number(e), i)
  let latest = -1
  const event = failing.flipped.find((e) => {
    const own = places.get(failing.number(e)) ?? Infinity
    if (own < latest) return true
    if (own !== Infinity) latest = Math.max(latest, own)
    return false
  })
  return event === undefined || text === '' ? undefined : { event, text }
}
