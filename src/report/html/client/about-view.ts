/** What the check examined and what it did not: the recorded run, budgets, coverage, notes, skipped modules. */
import { printable } from '../../escape.ts'
import { variesText } from '../../varies-text.ts'
import { h, plural } from './element.ts'
import { mapBar, mapTable, mapWords } from './map-view.ts'
import type { Head } from './report.ts'
import { treeView } from './tree-view.ts'

const MOST_SKIPPED = 200

export function aboutView(head: Head): HTMLElement {
  const { recorded, budgets, coverage, lookedAt } = head
  const { map = [] } = recorded
  const facts: readonly (readonly [string, string])[] = [
    head.trace
      ? ['Trace', `${head.trace.source} (model ${head.trace.model}, decider ${head.trace.decider})`]
      : ['Command', head.command.join(' ')],
    ['Folder', head.root],
    ['Begun', when(head.started)],
    [
      'Took',
      head.trace
        ? `${head.seconds.toFixed(1)} s`
        : `${head.seconds.toFixed(1)} s after the recorded run, which took ${(recorded.milliseconds / 1000).toFixed(1)} s`,
    ],
    [
      'Recorded',
      [
        `${plural(recorded.events, 'event')}${head.trace ? '' : ` in ${plural(recorded.modules, 'module')}`}`,
        recorded.runtime,
        recorded.timers === undefined ? '' : `timers ${recorded.timers}`,
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ...(budgets
      ? [
          [
            'Budgets',
            `${budgets.time} s, ${plural(budgets.replays, 'replay')}, ${plural(budgets.maxFindings, 'finding')}, ${plural(budgets.confirm, 'replay')} to confirm one`,
          ] as const,
        ]
      : []),
    ['Heddle', head.heddle],
  ]
  return h(
    'details',
    { class: 'about' },
    h(
      'summary',
      {},
      ...(map.length > 0
        ? [h('span', { class: 'map-title' }, 'What was observed'), mapWords(map), mapBar(map)]
        : [h('span', {}, printable(lookedAt))]),
    ),
    map.length > 0 && h('p', { class: 'looked-at' }, printable(lookedAt)),
    map.length > 0 && mapTable(map),
    h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, printable(value))])),
    h('h3', {}, 'Counts'),
    h(
      'dl',
      { class: 'counts' },
      ...coverage
        .flatMap(({ predictor, tree: _tree, ...counts }) => flat(counts, predictor))
        .flatMap(([name, value]) => [h('dt', {}, printable(name)), h('dd', {}, value.toLocaleString('en'))]),
    ),
    ...coverage.flatMap(({ tree = [] }) => treeView(tree)),
    recorded.skipped.length > 0 && h('h3', {}, `${plural(recorded.skipped.length, 'module')} not recorded`),
    recorded.skipped.length > 0 &&
      h(
        'ul',
        { class: 'skipped' },
        ...recorded.skipped
          .slice(0, MOST_SKIPPED)
          .map(({ file, why }) => h('li', {}, h('code', {}, printable(file)), `: ${printable(why)}`)),
      ),
    recorded.skipped.length > MOST_SKIPPED && h('p', { class: 'quiet' }, `and ${recorded.skipped.length - MOST_SKIPPED} more`),
  )
}

/** What a reader must not miss: said outside of anything folded. */
export function warnings({ complete, varies, plain, notes, recorded }: Head, failed: number): HTMLElement[] {
  const list: HTMLElement[] = []
  const say = (kind: string, ...text: (string | Node)[]): void => void list.push(h('p', { class: `notice ${kind}` }, ...text))
  if (!complete) say('warn', h('strong', {}, 'Incomplete. '), 'The check was interrupted before everything was examined.')
  if (recorded.stopped) say('warn', h('strong', {}, 'Stopped. '), 'The recorded run was ended by Heddle, not by the program.')
  if (varies.length > 0) {
    const [first, ...rest] = variesText({ varies, plain, failed }).split(/(?<=\.) /)
    say('warn', h('strong', {}, printable(`${first} `)), printable(rest.join(' ')))
  }
  for (const note of notes) say('note', h('strong', {}, 'Note. '), printable(note))
  return list
}

const when = (iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

function flat(value: Readonly<Record<string, unknown>>, path = ''): [string, number][] {
  return Object.entries(value).flatMap(([key, inner]): [string, number][] => {
    const name = path === '' ? key : `${path}: ${key}`
    if (typeof inner === 'number') return [[name, inner]]
    return inner !== null && typeof inner === 'object' ? flat(inner as Record<string, unknown>, name) : []
  })
}
