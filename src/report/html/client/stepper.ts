/** Steps through an order event by event and shows the value of every location. */
import { h, lazily } from './element.ts'
import { badge, placeLink, tag } from './event-view.ts'
import type { Focus } from './focus.ts'
import { Memory, type Cell } from './memory.ts'
import { eventText, otherOf, type Which } from './run-model.ts'

const MOST_CELLS = 12

export function stepper(focus: Focus): HTMLElement {
  const memories: Record<Which, Memory> = { observed: new Memory(focus.runs.observed), failing: new Memory(focus.runs.failing) }
  const button = (text: string, label: string, click: () => void, name: string): HTMLButtonElement =>
    h('button', { type: 'button', 'aria-label': label, title: label, click, 'data-step': name }, text)
  const choices = (['failing', 'observed'] as const).map((which) =>
    h(
      'button',
      { type: 'button', 'data-which': which, click: () => focus.current.run !== which && focus.swap() },
      `${focus.names[which]} order`,
    ),
  )
  const slider = h('input', {
    type: 'range',
    min: 0,
    'aria-label': 'Step',
    input: () => focus.go(focus.current.run, Number(slider.value) - 1),
  })
  const where = h('span', { class: 'where' })
  const sentence = h('p', { class: 'sentence', 'aria-live': 'polite' })
  const body = h('tbody')
  const more = h('p', { class: 'quiet' })
  const unknown = h('p', { class: 'quiet' })
  const table = h(
    'table',
    { class: 'memory' },
    h('caption', {}, 'What is where, after this step'),
    h('thead', {}, h('tr', {}, ...['location', 'value', 'written by', 'read by'].map((text) => h('th', { scope: 'col' }, text)))),
    body,
  )

  function show(): void {
    const { run: which, event } = focus.current
    const run = focus.runs[which]
    for (const choice of choices) choice.setAttribute('aria-pressed', String(choice.dataset['which'] === which))
    slider.max = String(run.size)
    slider.value = String(event + 1)
    where.textContent = `step ${event + 1} of ${run.size}`
    sentence.replaceChildren(...said(focus, which, event))
    const cells = memories[which].after(event)
    const pinned = new Set(run.flipped.map((e) => run.what(e)))
    const ordered = [...cells.filter((c) => pinned.has(c.what)), ...cells.filter((c) => !pinned.has(c.what))]
    body.replaceChildren(...ordered.slice(0, MOST_CELLS).map((cell) => row(focus, which, cell, event)))
    if (ordered.length === 0) body.replaceChildren(h('tr', {}, h('td', { class: 'quiet', colspan: 4 }, 'Nothing was read or written yet.')))
    more.textContent = ordered.length > MOST_CELLS ? `${ordered.length - MOST_CELLS} more locations were touched before.` : ''
    const predicted = which === 'failing' && run.picture.failingIs === 'prediction'
    unknown.textContent = predicted ? 'This order was computed, not run: values after the flip are not known.' : ''
  }

  const element = h(
    'div',
    { class: 'stepper' },
    h(
      'div',
      { class: 'controls', role: 'toolbar', 'aria-label': 'Steps' },
      h('span', { class: 'group' }, ...choices),
      h(
        'span',
        { class: 'group' },
        button('|◀', 'To the start (Home)', () => focus.go(focus.current.run, -1), 'first'),
        button('◀', 'One step back (←)', () => focus.step(-1), 'back'),
        button('▶', 'One step on (→)', () => focus.step(1), 'next'),
        button('▶|', 'To the end (End)', () => focus.go(focus.current.run, Infinity), 'last'),
      ),
      button('next numbered ▶', 'To the next of the events whose order decides (Shift →)', () => focus.jump(1), 'jump'),
      where,
    ),
    slider,
    sentence,
    table,
    more,
    unknown,
  )
  const shown = lazily(element, show)
  focus.on((what) => what === 'current' && shown())
  return element
}

/** "B reads left.json and sees 1. In the recorded order it saw 0, as step 14." */
function said(focus: Focus, which: Which, event: number): (Node | string)[] {
  if (event < 0) return ['Before the first step.']
  const run = focus.runs[which]
  const parts: (Node | string | undefined)[] = [badge(run.number(event)), ' ', tag(run, run.laneOf(event)), ` ${eventText(run, event)}`]
  if (run.site(event) !== '') parts.push(' (', placeLink(focus, which, event), ')')
  parts.push('. ')
  const there = run.same(event)
  const other = focus.names[otherOf(which)]
  if (there < 0) parts.push(h('span', { class: 'differs' }, `The ${other} order has no such step.`))
  else {
    const [here, then] = [run.value(event), focus.runs[otherOf(which)].value(there)]
    const differs = here !== undefined && then !== undefined && here !== then
    parts.push(
      h(
        'span',
        { class: differs ? 'differs' : 'quiet' },
        `In the ${other} order ${differs ? `it is ${then}, at` : 'it is'} step ${there + 1}.`,
      ),
    )
  }
  return parts.filter((part) => part !== undefined)
}

function row(focus: Focus, which: Which, cell: Cell, event: number): HTMLElement {
  const run = focus.runs[which]
  const by = (e: number): (Node | string)[] =>
    e < 0 ? ['–'] : [tag(run, run.laneOf(e)), ' ', placeLink(focus, which, e), ` step ${e + 1}`]
  const changed = cell.wrote === event
  const read = cell.read === event && !changed
  const value = cell.value ?? (cell.wrote >= 0 ? 'written, value not recorded' : 'not known')
  return h(
    'tr',
    { class: changed ? 'changed' : read ? 'read' : '', 'data-location': cell.what },
    h('td', { class: 'mono', title: cell.what }, run.name(cell.what)),
    h(
      'td',
      { class: 'mono value' },
      changed && cell.before !== undefined && cell.before !== cell.value && h('s', {}, cell.before),
      changed && cell.before !== undefined && cell.before !== cell.value && ' → ',
      h('span', { class: cell.value === undefined ? 'quiet' : '' }, value),
      changed ? h('span', { class: 'sign' }, ' changed now') : read && h('span', { class: 'sign' }, ' read now'),
    ),
    h('td', {}, ...by(cell.wrote)),
    h('td', {}, ...by(cell.read)),
  )
}
