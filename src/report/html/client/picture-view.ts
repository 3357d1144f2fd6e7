/** Both orders one above the other, with the same lanes, numbers and zoom. Where there is no room for two, a switch shows one at a time. */
import { h } from './element.ts'
import { badge, tag } from './event-view.ts'
import type { Focus } from './focus.ts'
import { Zoom, panel } from './panel.ts'
import { shortLocation } from './place.ts'
import type { Which } from './run-model.ts'

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
]

/** Larger than this only at will: a picture of five events need not fill a wall. */
const WIDEST_AT_FIRST = 96
/** When all of it would be smaller than this, it begins larger, at the flip. */
const NARROWEST_AT_FIRST = 13
const READABLE = 30
const READABLE_NARROW = 20

/** "③ B reads left.json comes before ② A writes left.json." */
function flip({ runs, names }: Focus): (Node | string)[] {
  const { failing } = runs
  const numbered = failing.flipped.filter((event) => failing.same(event) >= 0)
  for (const [i, early] of numbered.entries()) {
    const late = numbered.slice(i + 1).find((event) => failing.number(event)! < failing.number(early)!)
    if (late === undefined) continue
    const said = (event: number): (Node | string)[] => [
      badge(failing.number(event)) ?? '',
      ' ',
      tag(failing, failing.laneOf(event)),
      ` ${failing.verb(event)} ${shortLocation(failing.what(event))}`,
    ]
    return [`In the ${names.failing} order, `, ...said(early), ' comes before ', ...said(late), '.']
  }
  return []
}

export function pictureView(focus: Focus, failed: boolean): PictureView {
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
    ),
  ]
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
  focus.on((what) => what === 'current' && show(focus.current.run))
  const fit = (): void => zoom.set(Math.min(...fits()))
  const button = (text: string, label: string, click: () => void): HTMLElement =>
    h('button', { type: 'button', 'aria-label': label, title: label, click }, text)
  const used = new Set(['badge', ...(observed.arrows.length + failing.arrows.length > 0 ? ['arrow'] : [])])
  if (observed.spans.length + failing.spans.length > 0) used.add('span')
  const element = h(
    'div',
    { class: 'pictures' },
    h('p', { class: 'flip' }, ...flip(focus)),
    h('p', { class: 'quiet how' }, 'Time goes to the right. A row is a task, a box is a stretch in which nothing else ran.'),
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
        button('−', 'Smaller (-)', () => zoom.set(zoom.unit / 1.4)),
        button('+', 'Larger (+)', () => zoom.set(zoom.unit * 1.4)),
        button('all', 'All of it (0)', fit),
      ),
    ),
    both,
  )
  return { element, zoom, fit }
}
