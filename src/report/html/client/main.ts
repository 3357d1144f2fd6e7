/** The report in the browser: reads the embedded data and draws what the URL asks for. */
import { h } from './element.ts'
import { shown as inList } from './filter.ts'
import { findingView, type Way } from './finding-view.ts'
import { helpDialog } from './help.ts'
import type { Focus } from './focus.ts'
import { keyDown, type Shown } from './keys.ts'
import { nextLifetime } from './lifetime.ts'
import { listView, type Go } from './list-view.ts'
import { live } from './live.ts'
import { embeddedReport, fetchedReport, type Report } from './report.ts'
import { findingHash, listHash, NO_FILTERS, routeOf, type Filters } from './route.ts'
import { applyTheme, themeSwitch } from './theme.ts'

const app = document.getElementById('app')!
let report: Report = embeddedReport()
let filters: Filters = NO_FILTERS
/** The finding that was open last: the list begins there. */
let last: string | undefined
const theme = themeSwitch()
const help = helpDialog()
const showHelp = (): void => help.showModal()
const back = (): void => void (location.hash = listHash(filters))
let shown: Shown = { back, theme: () => theme.click(), help: showHelp }

applyTheme()
const strip = live((document) => {
  report = fetchedReport(document)
  // Who reads a finding is not disturbed.
  if (routeOf(location.hash).page === 'list') show()
})
const body = h('div', { id: 'page' })
app.replaceChildren(
  h(
    'header',
    { class: 'bar' },
    h('a', { href: '#/', class: 'brand' }, 'Heddle'),
    h('span', { class: 'grow' }),
    h('button', { type: 'button', title: 'Keys (?)', 'aria-label': 'Keys', click: showHelp }, '?'),
    theme,
  ),
  ...(strip ? [strip] : []),
  body,
  help,
)

const go: Go = (next, push) => {
  const hash = listHash(next)
  if (push) location.hash = hash
  else {
    history.replaceState(null, '', hash)
    show()
    const search = document.getElementById('search') as HTMLInputElement | null
    search?.focus()
    search?.setSelectionRange(search.value.length, search.value.length)
  }
}

function show(): void {
  nextLifetime()
  const route = routeOf(location.hash)
  if (route.page === 'list') {
    filters = route.filters
    const list = listView(report, filters, last, go)
    last = undefined
    shown = { ...shown, list, focus: undefined, picture: undefined }
    body.replaceChildren(list.element)
    document.title = 'Heddle report'
    list.ready()
    return
  }
  const n = report.entries.findIndex((entry) => entry.id === route.id || (route.id.length >= 4 && entry.id.startsWith(route.id)))
  const order = inList(report.entries, filters)
  const place = order.indexOf(n)
  const near = (by: number): string | undefined => {
    const next = place < 0 ? undefined : order[place + by]
    return next === undefined ? undefined : findingHash(report.entries[next]!.id)
  }
  const way: Way = { back: listHash(filters), previous: near(-1), next: near(1), place: place + 1, of: order.length }
  const view = n < 0 ? undefined : findingView(report, n, way, route.at)
  if (!view) {
    // The part of the file with this finding may still be on its way.
    const waiting = n >= 0 && document.readyState === 'loading'
    if (waiting) document.addEventListener('DOMContentLoaded', show, { once: true })
    const text = waiting ? 'Reading the finding …' : 'There is no such finding in this report.'
    body.replaceChildren(h('main', {}, h('p', {}, text), h('p', {}, h('a', { href: '#/' }, 'All findings'))))
    shown = { ...shown, list: undefined, focus: undefined, picture: undefined }
    return
  }
  last = report.entries[n]!.id
  const move = (by: number): void => {
    const to = near(by)
    if (to !== undefined) location.hash = to
  }
  shown = { ...shown, list: undefined, focus: view.focus, picture: view.picture, move }
  if (view.focus) keepInAddress(report.entries[n]!.id, view.focus)
  document.title = `${report.entries[n]!.status}: ${report.entries[n]!.summary.slice(0, 80)}`
  body.replaceChildren(view.element)
  scrollTo({ top: 0 })
}

/** A link that is copied leads to the event that is looked at. Not a step that back undoes, and not at once: browsers permit so many a second. */
function keepInAddress(id: string, focus: Focus): void {
  let asked: ReturnType<typeof setTimeout> | undefined
  focus.on((what) => {
    if (what !== 'current') return
    clearTimeout(asked)
    asked = setTimeout(() => {
      const route = routeOf(location.hash)
      if (route.page === 'finding' && id.startsWith(route.id)) history.replaceState(null, '', findingHash(id, focus.current))
    }, 200)
  })
}

addEventListener('hashchange', show)
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true
})
addEventListener('keydown', (event) => {
  if (!help.open) keyDown(event, shown)
})
show()
