/**
 * The list of findings as an inbox: one row for each cause, the worst first, with filters. The state is in the URL: `go` changes it, and the page is
 * drawn from it.
 */
import { printable } from '../../escape.ts'
import { sinceText } from '../../since-text.ts'
import type { Entry } from '../entry.ts'
import { aboutView, warnings } from './about-view.ts'
import { h, plural } from './element.ts'
import { counted, grouped, shown, type Row } from './filter.ts'
import { shortSite } from './place.ts'
import type { Head, Report } from './report.ts'
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

const ROW = 84
/** Status, three lines of the sentence, the error, and the rest. */
const ROW_NARROW = 152

export function listView(report: Report, filters: Filters, active: string | undefined, go: Go): ListView {
  const { entries } = report
  const found = shown(entries, filters)
  const list = grouped(entries, found, filters.open)
  const isActive = ({ entry }: Row): boolean => entries[entry]!.id === active
  let at = Math.max(-1, list.findIndex(isActive))
  const rows = virtualRows(
    () => (innerWidth < 700 ? ROW_NARROW : ROW),
    (row) => rowOf(entries[list[row]!.entry]!, list[row]!, row === at, filters, go),
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
  const filtered = filters.status.length > 0 || filters.kind !== '' || filters.file !== '' || filters.text !== '' || filters.since !== ''
  const causes = list.filter(({ inside }) => !inside).length
  const element = h(
    'main',
    { class: 'list' },
    h('h1', {}, headline(entries, report.head.trace !== undefined)),
    h('p', { class: 'command-line' }, h('code', {}, printable(report.head.trace?.source ?? report.head.command.join(' ')))),
    ...warnings(report.head, failuresIn(entries)),
    aboutView(report.head),
    sinceView(report.head, entries),
    entries.length > 0 &&
      h(
        'div',
        { class: 'filters', role: 'search' },
        search,
        h(
          'span',
          { class: 'chips', role: 'group', 'aria-label': 'Status' },
          ...chips(entries, filters, go),
          ...sinceChips(entries, filters, go),
        ),
        choice(
          'kind',
          'Kind',
          entries.map((e) => e.kind),
          filters,
          go,
          kindText,
        ),
        choice(
          'file',
          'File',
          entries.flatMap((e) => e.files),
          filters,
          go,
          printable,
        ),
        filtered && h('button', { type: 'button', class: 'link', click: () => go({ ...NO_FILTERS, open: filters.open }, true) }, 'clear'),
      ),
    h('p', { class: 'count', 'aria-live': 'polite' }, countText(found.length, entries.length, causes, filtered)),
    entries.length === 0 && h('p', { class: 'empty' }, 'Nothing was found. That is no proof: see above what was observed.'),
    rows.element,
  )
  const mark = (row: number): void => {
    at = row
    rows.reveal(row)
    rows.update(list.length)
    rows.element.querySelector<HTMLElement>(`[data-row="${row}"] a`)?.focus({ preventScroll: true })
  }
  return {
    element,
    ready() {
      rows.update(list.length)
      if (at >= 0) mark(at)
    },
    move: (by) => {
      if (list.length > 0) mark(Math.max(0, Math.min(list.length - 1, at + by)))
    },
    open: () => {
      if (at >= 0) location.hash = findingHash(entries[list[at]!.entry]!.id)
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

function countText(found: number, all: number, causes: number, filtered: boolean): string {
  const of = causes < found ? `, ${plural(causes, 'cause')}` : ''
  if (filtered) return `${found.toLocaleString('en')} of ${plural(all, 'finding')}${of}`
  return of === '' ? '' : `${plural(found, 'finding')}${of}`
}

/** What changed since the last check, and which failures are gone. */
function sinceView({ since }: Head, entries: readonly Entry[]): HTMLElement | undefined {
  const said = sinceText(since, entries)
  if (said === '') return undefined
  const fixed = since?.fixed ?? []
  if (fixed.length === 0) return h('p', { class: 'since' }, said)
  return h(
    'details',
    { class: 'since' },
    h('summary', {}, said),
    h(
      'ul',
      {},
      ...fixed.map(({ fingerprint, sentence }) =>
        h(
          'li',
          {},
          h('span', { class: 'badge-since fixed' }, '✓ fixed'),
          ` ${printable(sentence)} `,
          h('code', { class: 'quiet' }, printable(fingerprint.slice(0, 8))),
        ),
      ),
    ),
  )
}

function chips(entries: readonly Entry[], filters: Filters, go: Go): HTMLElement[] {
  return counted(
    entries.map((e) => e.status),
    'rank',
  ).map(([status, n]) => {
    const on = filters.status.includes(status)
    const next = on ? filters.status.filter((s) => s !== status) : [...filters.status, status]
    return chip(`status ${status.toLowerCase().replace(/[^a-z]+/g, '-')}`, `${statusSign(status)} ${printable(status)} `, n, on, {
      'data-status': status,
      title: statusText(status),
      click: () => go({ ...filters, status: next }, true),
    })
  })
}

function sinceChips(entries: readonly Entry[], filters: Filters, go: Go): HTMLElement[] {
  return counted(
    entries.map((e) => e.since).filter((since) => since !== ''),
    'count',
  )
    .toSorted(([one]) => (one === 'new' ? -1 : 1))
    .map(([since, n]) => {
      const on = filters.since === since
      return chip('status', `${printable(since)} `, n, on, {
        'data-since': since,
        title: since === 'new' ? 'Not a finding of the last check' : 'A finding of the last check, too',
        click: () => go({ ...filters, since: on ? '' : since }, true),
      })
    })
}

const chip = (classes: string, text: string, n: number, on: boolean, props: Parameters<typeof h>[1]): HTMLElement =>
  h(
    'button',
    { type: 'button', class: `chip ${classes}`, 'aria-pressed': String(on), ...props },
    text,
    h('span', { class: 'n' }, n.toLocaleString('en')),
  )

function choice(
  key: 'kind' | 'file',
  label: string,
  values: readonly string[],
  filters: Filters,
  go: Go,
  text: (value: string) => string,
): HTMLElement {
  const select = h(
    'select',
    { 'aria-label': label, 'data-filter': key, change: () => go({ ...filters, [key]: select.value }, true) },
    h('option', { value: '' }, `${label}: all`),
    ...counted(values, 'count').map(([value, n]) =>
      h('option', { value, selected: filters[key] === value }, `${text(value)} (${n.toLocaleString('en')})`),
    ),
  )
  return select
}

/** What breaks, of what, where, how often; what is new; how many more have the same cause. */
function rowOf(entry: Entry, { more, inside }: Row, active: boolean, filters: Filters, go: Go): HTMLElement {
  const { id, status, title, summary, locations, sites, message, test, branch, since } = entry
  const open = filters.open.includes(id)
  const next = open ? filters.open.filter((one) => one !== id) : [...filters.open, id]
  const rate = status === 'FAILED' && entry.runs > 0 ? `${entry.failures} of ${entry.runs} replays` : ''
  return h(
    'div',
    { class: `row${active ? ' active' : ''}${inside ? ' inside' : ''}`, role: 'listitem' },
    h(
      'a',
      { href: findingHash(id), 'data-id': id },
      h(
        'span',
        { class: 'row-status' },
        h('span', { class: statusClass(status) }, `${statusSign(status)} ${printable(status)}`),
        since !== '' && h('span', { class: `badge-since ${since === 'new' ? 'new' : 'known'}` }, printable(since)),
      ),
      h('span', { class: 'summary' }, printable(summary).replaceAll('`', '')),
      message !== '' && h('span', { class: `meta ${status === 'FAILED' ? 'row-error' : ''}` }, printable(message.split('\n')[0]!)),
      h(
        'span',
        { class: 'meta' },
        ...[
          printable([title, branch].filter(Boolean).join(', ')),
          locations.length > 0 && h('code', {}, printable(locations.join(', '))),
          sites.length > 0 && h('span', { class: 'mono' }, sites.map(shortSite).join(', ')),
          rate,
          printable(test),
        ]
          .filter((part) => part !== false && part !== '')
          .map((part) => h('span', {}, part)),
      ),
    ),
    more > 0 &&
      h(
        'button',
        { type: 'button', class: 'more-of', 'aria-expanded': String(open), click: () => go({ ...filters, open: next }, true) },
        `${open ? '−' : '+'}${more} of this cause`,
      ),
  )
}
