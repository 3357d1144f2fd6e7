/** Small parts that name an event or a task: the number of a flipped event, the letter of its lane, its site. The same everywhere in a report. */
import { h } from './element.ts'
import type { Focus } from './focus.ts'
import { lanesOf } from './lane.ts'
import { shortSite } from './place.ts'
import type { RunModel, Which } from './run-model.ts'

export function tag(run: RunModel, lane: number): HTMLElement {
  const { letter, name, hue } = lanesOf(run.picture)[lane]!
  return h('span', { class: `tag hue-${hue}`, title: name }, letter)
}

export function badge(number: number | undefined): HTMLElement | undefined {
  return number === undefined ? undefined : h('span', { class: 'badge', title: 'one of the events whose order decides' }, number)
}

/** Where an event is in the source; a click shows it in every part of the page. */
export function placeLink(focus: Focus, which: Which, event: number): HTMLElement {
  const site = focus.runs[which].site(event)
  return h('button', { class: 'link', type: 'button', title: site, click: () => focus.go(which, event) }, shortSite(site))
}

/** Hovering or clicking `element` is hovering or clicking the event. */
export function linked<E extends HTMLElement>(element: E, focus: Focus, which: Which, event: number): E {
  element.dataset['event'] = String(event)
  element.dataset['in'] = which
  element.addEventListener('pointerenter', () => focus.hover({ run: which, event }))
  element.addEventListener('pointerleave', () => focus.hover(undefined))
  element.addEventListener('click', () => focus.go(which, event))
  return element
}

/** Keeps `current` and `hovered` on the elements inside `root` that `linked` has made. */
export function follow(root: HTMLElement, focus: Focus): void {
  const show = (): void => {
    for (const element of root.querySelectorAll<HTMLElement>('[data-event]')) {
      const which = element.dataset['in'] as Which
      const event = Number(element.dataset['event'])
      element.classList.toggle('current', focus.in(which) === event)
      element.classList.toggle('hovered', focus.hoveredIn(which) === event)
    }
  }
  focus.on(show)
  show()
}
