/** What was observed as a small map: a bar whose parts are as wide as their share of the recorded events, skipped ones hatched, and a row for each. */
import { shareOf, type MapPart } from '../../coverage-map.ts'
import { printable } from '../../escape.ts'
import { h, plural } from './element.ts'

const MOST_NAMED = 4
const HUES = 6

export function mapBar(map: readonly MapPart[]): HTMLElement {
  const bar = h('span', { class: 'map-bar', 'aria-hidden': 'true' })
  const sum = map.reduce((so, { events }) => so + events, 0)
  for (const [i, part] of map.entries()) {
    const segment = h('span', { class: `map-part ${part.events > 0 ? `hue-${i % HUES}` : 'left-out'}`, title: printable(part.part) })
    // What had no event is there, too: by its modules, in a tenth of the bar at most.
    segment.style.flexGrow = String(part.events > 0 ? part.events : (sum || 1) * 0.1 * (part.skipped / Math.max(1, skippedIn(map))))
    if (part.events > 0 || part.skipped > 0) bar.append(segment)
  }
  return bar
}

/** `src/ 83 %, pg 12 %, 3 skipped` */
export function mapWords(map: readonly MapPart[]): HTMLElement {
  const seen = map.filter(({ events }) => events > 0)
  const named = seen.slice(0, MOST_NAMED)
  const skipped = skippedIn(map)
  return h(
    'span',
    { class: 'map-words' },
    ...named.map((part) =>
      h('span', {}, h('i', { class: `dot hue-${map.indexOf(part) % HUES}` }), ` ${printable(part.part)} ${shareOf(part, map)}`),
    ),
    seen.length > MOST_NAMED && h('span', {}, `${seen.length - MOST_NAMED} more`),
    skipped > 0 && h('span', {}, h('i', { class: 'dot left-out' }), ` ${plural(skipped, 'module')} skipped`),
  )
}

export function mapTable(map: readonly MapPart[]): HTMLElement {
  return h(
    'table',
    { class: 'map' },
    h(
      'thead',
      {},
      h('tr', {}, ...['part', 'share of the run', 'events', 'modules', 'skipped'].map((name) => h('th', { scope: 'col' }, name))),
    ),
    h(
      'tbody',
      {},
      ...map.map((part) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, h('code', {}, printable(part.part))),
          h('td', {}, shareOf(part, map)),
          h('td', {}, part.events.toLocaleString('en')),
          h('td', {}, part.observed.toLocaleString('en')),
          h(
            'td',
            {},
            part.skipped === 0 ? '0' : printable(`${part.skipped.toLocaleString('en')}${part.why === undefined ? '' : `: ${part.why}`}`),
          ),
        ),
      ),
    ),
  )
}

const skippedIn = (map: readonly MapPart[]): number => map.reduce((so, { skipped }) => so + skipped, 0)
