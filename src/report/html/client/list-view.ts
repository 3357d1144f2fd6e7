/** The list of findings, with filters. The filters are in the address: `go` changes it, and the page is drawn from it. */
import { printable } from '../../escape.ts'
import type { Entry } from '../entry.ts'
import { aboutView, warnings } from './about-view.ts'
import { h, plural } from './element.ts'
import { counted, shown } from './filter.ts'
import { shortLocation } from './place.ts'
import type { Report } from './report.ts'
import { findingHash, NO_FILTERS, type Filters } from './route.ts'
import { virtualRows } from './virtual-rows.ts'
import { kindText, statusClass, statusSign, statusText } from './words.ts'

export interface ListView {
  readonly element: HTMLElement
  /** Draws the rows, once the element is in the page. */
  ready(): void
  /** Moves to another row. */
  move(by: number): void
  open(): void
  search(): void
}

/** `push`: a step that back undoes. Typing is not one. */
export type Go = (filters: Filters, push: boolean) => void

export function listView(report: Report, filters: Filters, active: string | undefined, go: Go): ListView {
  const { entries } = report
  const found = shown(entries, filters)
  let at = Math.max(
    -1,
    found.findIndex((i) => entries[i]!.id === active),
  )
  const rows = virtualRows(
    () => (innerWidth < 700 ? 118 : 84),
    (row) => rowOf(entries[found[row]!]!, row === at),
    'Findings',
  )
  const search = h('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search in findings (/)',
    id: 'search',
    value: filters.text,
    input: () => go({ ...filters, text: search.value }, false),
  })
  const filtered = filters.status.length > 0 || filters.kind !== '' || filters.file !== '' || filters.text !== ''
  const element = h(
    'main',
    { class: 'list' },
    h('h1', {}, headline(entries, report.head.trace !== undefined)),
    h('p', { class: 'command-line' }, h('code', {}, printable(report.head.trace?.source ?? report.head.command.join(' ')))),
    ...warnings(report.head, failuresIn(entries)),
    aboutView(report.head),
    entries.length > 0 &&
      h(
        'div',
        { class: 'filters', role: 'search' },
        search,
        h('span', { class: 'chips', role: 'group', 'aria-label': 'Status' }, ...chips(entries, filters, go)),
        choice(
          'kind',
          'Kind',
          counted(
            entries.map((e) => e.kind),
            'count',
          ),
          filters,
          go,
          kindText,
        ),
        choice(
          'file',
          'File',
          counted(
            entries.flatMap((e) => e.files),
            'count',
          ),
          filters,
          go,
          printable,
        ),
        filtered && h('button', { type: 'button', class: 'link', click: () => go(NO_FILTERS, true) }, 'clear'),
      ),
    h(
      'p',
      { class: 'count', 'aria-live': 'polite' },
      filtered ? `${found.length.toLocaleString('en')} of ${plural(entries.length, 'finding')}` : '',
    ),
    entries.length === 0 && h('p', { class: 'empty' }, 'Nothing was found. What was looked at is said above: silence is no proof.'),
    rows.element,
  )
  const mark = (row: number): void => {
    at = row
    rows.reveal(row)
    rows.update(found.length)
    rows.element.querySelector<HTMLElement>(`[data-row="${row}"] a`)?.focus({ preventScroll: true })
  }
  return {
    element,
    ready() {
      rows.update(found.length)
      if (at >= 0) mark(at)
    },
    move: (by) => {
      if (found.length > 0) mark(Math.max(0, Math.min(found.length - 1, at + by)))
    },
    open: () => {
      if (at >= 0) location.hash = findingHash(entries[found[at]!]!.id)
    },
    search: () => search.focus(),
  }
}

const failuresIn = (entries: readonly Entry[]): number => entries.filter((e) => e.status === 'FAILED').length

function headline(entries: readonly Entry[], ofTrace: boolean): string {
  const failed = failuresIn(entries)
  const rest = entries.length - failed
  if (failed > 0) return `${plural(failed, 'failure')} confirmed${rest > 0 ? `, ${plural(rest, 'other finding')}` : ''}`
  if (ofTrace) return rest > 0 ? plural(rest, 'prediction') : 'Nothing was predicted'
  return rest > 0 ? `No failure confirmed, ${plural(rest, 'finding')}` : 'No failure found'
}

function chips(entries: readonly Entry[], filters: Filters, go: Go): HTMLElement[] {
  return counted(
    entries.map((e) => e.status),
    'rank',
  ).map(([status, n]) => {
    const on = filters.status.includes(status)
    const next = on ? filters.status.filter((s) => s !== status) : [...filters.status, status]
    return h(
      'button',
      {
        type: 'button',
        class: `chip ${statusClass(status)}`,
        'aria-pressed': String(on),
        'data-status': status,
        title: statusText(status),
        click: () => go({ ...filters, status: next }, true),
      },
      `${statusSign(status)} ${printable(status)} `,
      h('span', { class: 'n' }, n.toLocaleString('en')),
    )
  })
}

function choice(
  key: 'kind' | 'file',
  label: string,
  values: readonly (readonly [string, number])[],
  filters: Filters,
  go: Go,
  text: (value: string) => string,
): HTMLElement {
  const select = h(
    'select',
    { 'aria-label': label, 'data-filter': key, change: () => go({ ...filters, [key]: select.value }, true) },
    h('option', { value: '' }, `${label}: all`),
    ...values.map(([value, n]) => h('option', { value, selected: filters[key] === value }, `${text(value)} (${n.toLocaleString('en')})`)),
  )
  return select
}

function rowOf(entry: Entry, active: boolean): HTMLElement {
  const { id, status, title, summary, locations, at, runs, failures, message, test, branch } = entry
  const about = [
    message.split('\n')[0]!,
    title,
    branch,
    ...locations.slice(0, 1).map((location) => shortLocation(location)),
    at,
    runs > 0 && status === 'FAILED' ? `${failures} of ${runs} replays` : '',
    test,
  ].filter(Boolean)
  return h(
    'div',
    { class: `row${active ? ' active' : ''}`, role: 'listitem' },
    h(
      'a',
      { href: findingHash(id), 'data-id': id },
      h('span', { class: statusClass(status) }, `${statusSign(status)} ${printable(status)}`),
      h('span', { class: 'summary' }, printable(summary)),
      h('span', { class: 'meta' }, printable(about.join(' · '))),
    ),
  )
}
