/** All events of an order as rows. Only those in view are in the page. */
import { h, lazily } from './element.ts'
import { badge, tag } from './event-view.ts'
import type { Focus } from './focus.ts'
import { shortSite } from './place.ts'
import { otherOf, type RunModel } from './run-model.ts'
import { virtualRows } from './virtual-rows.ts'

const ROW = 28

export function eventTable(focus: Focus): HTMLElement {
  const scroller = h('div', { class: 'table-scroller', tabindex: 0, role: 'group', 'aria-label': 'Events, in order' })
  const title = h('h3')
  const rows = virtualRows(
    () => ROW,
    (event) => rowOf(focus, event),
    'Events',
    scroller,
  )
  scroller.append(rows.element)
  const elsewhere = h('span', { class: 'other' })
  let run: RunModel | undefined
  const show = (): void => {
    const now = focus.runs[focus.current.run]
    if (now !== run) scroller.scrollTop = 0
    run = now
    title.textContent = `Every event of the ${focus.names[run.which]} order`
    elsewhere.textContent = `${focus.names[otherOf(run.which)]} order`
    scroller.style.height = `${Math.min(run.size * ROW, 10 * ROW) + 2}px`
    rows.update(run.size)
    if (focus.current.event >= 0) rows.reveal(focus.current.event)
  }
  focus.on((what) => {
    if (what === 'current') return shown()
    const hovered = focus.hoveredIn(focus.current.run)
    for (const row of rows.element.children) row.classList.toggle('hovered', (row as HTMLElement).dataset['event'] === String(hovered))
  })
  const heads = h(
    'div',
    { class: 'event-row heads', 'aria-hidden': 'true' },
    ...['step', 'task', 'does', 'what', 'value', 'where'].map((text) => h('span', { class: text }, text)),
    elsewhere,
  )
  const element = h('div', { class: 'event-table' }, title, heads, scroller)
  const shown = lazily(element, show)
  return element
}

function rowOf(focus: Focus, event: number): HTMLElement {
  const which = focus.current.run
  const run = focus.runs[which]
  const there = run.same(event)
  const [here, then] = [run.value(event), there < 0 ? undefined : focus.runs[otherOf(which)].value(there)]
  const number = run.number(event)
  const differs = here !== undefined && then !== undefined && here !== then
  const classes = ['event-row', number === undefined ? '' : 'flipped', focus.current.event === event ? 'current' : '']
    .filter(Boolean)
    .join(' ')
  return h(
    'div',
    {
      class: classes,
      role: 'listitem',
      'data-event': event,
      'aria-current': focus.current.event === event ? 'step' : undefined,
      click: () => focus.go(which, event),
      pointerenter: () => focus.hover({ run: which, event }),
      pointerleave: () => focus.hover(undefined),
    },
    h('span', { class: 'step' }, badge(number) ?? '', ` ${event + 1}`),
    h('span', { class: 'task' }, tag(run, run.laneOf(event))),
    h('span', { class: 'does' }, run.verb(event)),
    h('span', { class: 'what mono', title: run.what(event) }, run.named(event)),
    h('span', { class: 'value mono', title: here ?? '' }, here ?? ''),
    h('span', { class: 'where mono', title: run.site(event) }, run.site(event) === '' ? '' : shortSite(run.site(event))),
    h('span', { class: 'other' }, there < 0 ? 'not there' : `${there + 1}${differs ? `: ${then}` : ''}`),
  )
}
