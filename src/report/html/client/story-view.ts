/**
 * The top of a finding: your code in the recorded and in the failing order with the swap between them, what was late, the error, and the replay
 * command.
 */
import type { CheckDocument, FindingDocument } from '../../document.ts'
import { cut, printable } from '../../escape.ts'
import { shortText } from '../../location-text.ts'
import { peopleOf } from '../../people.ts'
import type { Names } from '../../resource-name.ts'
import { scheduleLines } from '../../schedule-text.ts'
import { begunAt, firstWords, ordinal, othersIn, storySteps, swapOf, valueOf, type StoryStep } from '../../story.ts'
import { doing } from '../../verbs.ts'
import { command } from './command.ts'
import { h, plural, svg } from './element.ts'
import { badge } from './event-view.ts'
import type { Focus } from './focus.ts'
import { shortSite } from './place.ts'
import { codeOf, lineOf } from './source-view.ts'
import { placeOf } from '../../../trace/site.ts'

const MOST_STEPS = 6
/** So few have room for two lines of code each on a phone. */
const FEW_STEPS = 3
const HUES = 6
const LONGEST_VALUE = 40
const LONGEST_DELAY = 160
/** Of a row: the same in style.css. */
const ROW = 50

export function storyView(
  finding: FindingDocument,
  sources: CheckDocument['sources'],
  failed: boolean,
  names: Names,
  focus: Focus | undefined,
): HTMLElement {
  return h(
    'section',
    { id: 'story', class: 'story', 'aria-label': 'What happened' },
    swapView(finding, sources, failed, names, focus),
    outcomeView(finding, names),
  )
}

function swapView(
  finding: FindingDocument,
  sources: CheckDocument['sources'],
  failed: boolean,
  names: Names,
  focus: Focus | undefined,
): HTMLElement | undefined {
  const doesOf = (step: StoryStep): string => doesTo(step, names)
  const all = storySteps(finding)
  if (all.length === 0) return undefined
  const steps = all.slice(0, MOST_STEPS)
  const chains = [...new Set([...finding.observed, ...finding.failing].map(({ chain }) => chain))]
  const swapped = new Set(swapOf(all))
  const recorded = steps.filter((step) => step.recorded !== undefined).toSorted((a, b) => a.recorded! - b.recorded!)
  const tagOf = ({ row }: StoryStep): HTMLElement => {
    const n = chains.indexOf(row.chain)
    return h('span', { class: `tag hue-${n % HUES}`, title: printable(row.name) }, String.fromCharCode(65 + (n % 26)))
  }
  const values = new Map(steps.map((step) => [step, valueIn(finding, step, focus)]))
  const files = new Set(steps.map(({ row }) => fileOf(row.accesses[0]?.site ?? '')))
  const isOneFile = files.size === 1 && !files.has('')
  const view = h(
    'div',
    { class: `swap${isOneFile ? ' one-file' : ''}` },
    h('h2', { class: 'swap-head' }, 'Recorded', h('span', { class: 'wide' }, ' order: it went well')),
    h('span', {}),
    h(
      'h2',
      { class: 'swap-head' },
      failed ? 'Failing order' : 'The other order',
      h('span', { class: 'wide' }, ', in your code'),
      isOneFile && h('span', { class: 'narrow' }, ` in ${[...files][0]!}`),
    ),
    h(
      'ol',
      { class: 'steps recorded' },
      ...recorded.map((step) =>
        h(
          'li',
          { class: swapped.has(step) ? 'swapped' : '' },
          badge(step.failing ?? step.recorded),
          tagOf(step),
          h('span', { class: 'does wide' }, doesOf(step)),
        ),
      ),
    ),
    crossing(steps, recorded, swapped),
    h(
      'ol',
      { class: 'steps failing' },
      ...steps.map((step) => {
        const site = step.row.accesses[0]?.site ?? ''
        const place = placeOf(site)
        return h(
          'li',
          { class: swapped.has(step) ? 'swapped' : '', 'data-badge': step.failing },
          badge(step.failing),
          tagOf(step),
          h(
            'span',
            { class: 'what' },
            h(
              'span',
              { class: 'does' },
              doesOf(step),
              values.get(step) !== '' && h('span', { class: 'value' }, ` ${values.get(step)!}`),
              step.failing === undefined && h('span', { class: 'quiet' }, ' (does not happen)'),
            ),
            place && atView(site),
            place ? codeOf(lineOf(sources, place)?.trim(), undefined) : h('code', { class: 'quiet' }, printable(cut(step.row.name, 60))),
          ),
        )
      }),
    ),
    all.length > MOST_STEPS && h('p', { class: 'quiet more' }, `and ${plural(all.length - MOST_STEPS, 'more step')}`),
    h('p', { class: 'quiet who' }, ...legend(finding, chains)),
  )
  const rows = Math.max(steps.length, recorded.length)
  view.style.setProperty('--rows', String(rows))
  if (rows <= FEW_STEPS) view.classList.add('few')
  return view
}

/** `stock.mjs:16`, of which a phone shows the line where all are of one file. */
function atView(site: string): HTMLElement {
  const short = shortSite(site)
  const at = short.lastIndexOf(':')
  return h('span', { class: 'at mono', title: printable(site) }, h('span', { class: 'file' }, short.slice(0, at)), short.slice(at))
}

const fileOf = (site: string): string => printable(placeOf(site)?.file.split('/').at(-1) ?? '')

const doesTo = ({ row }: StoryStep, names: Names): string => {
  const [first, ...more] = row.accesses
  if (!first) return printable(row.name)
  const others = othersIn(first, more)
  return printable(`${doing(first.access, first.verb)} ${names(first.location)}${others}`)
}

/** `= 1`; where both runs saw something, and not the same, `= 1, not 0`. */
function valueIn(finding: FindingDocument, step: StoryStep, focus: Focus | undefined): string {
  const { row, recorded } = step
  const there = recorded === undefined ? undefined : finding.observed[recorded - 1]
  const [own, before] = valueOf(row) === '' ? drawnValues(step, focus) : [valueOf(row), there ? valueOf(there) : '']
  const said = (value: string): string => printable(cut(value, LONGEST_VALUE))
  if (own === '') return ''
  return before === '' || before === own ? `= ${said(own)}` : `= ${said(own)}, not ${said(before)}`
}

/** The values of the two runs that were drawn, where the numbered event there is this step. */
function drawnValues({ row, failing }: StoryStep, focus: Focus | undefined): [own: string, before: string] {
  // An order that was computed has the values of the recorded run.
  const run = focus?.runs.failing.picture.failingIs === 'replay' ? focus.runs.failing : undefined
  const [first] = row.accesses
  const isIt = (e: number): boolean =>
    run!.number(e) === failing && run!.does(e) === first?.access && run!.site(e) === first.site.split(' < ')[0]
  const event = run?.flipped.find(isIt)
  if (!run || event === undefined) return ['', '']
  const there = run.same(event)
  return [run.value(event) ?? '', there < 0 ? '' : (focus!.runs.observed.value(there) ?? '')]
}

function legend(finding: FindingDocument, chains: readonly string[]): (Node | string)[] {
  const people = peopleOf(finding.observed)
  return chains.slice(0, 4).flatMap((chain, n) => {
    const row = [...finding.failing, ...finding.observed].find((one) => one.chain === chain)!
    const place = begunAt(row.posted)
    const from = place === '' ? '' : `, from ${shortSite(place)}`
    const name = printable(cut(people.each(row), 40))
    const letter = h('span', { class: `tag hue-${n % HUES}` }, String.fromCharCode(65 + (n % 26)))
    return [h('span', { title: printable(row.name) }, letter, ` ${name}`, h('span', { class: 'wide' }, from))]
  })
}

/** A line from the place of each step in the recorded order to its place in the failing one. */
function crossing(steps: readonly StoryStep[], recorded: readonly StoryStep[], swapped: ReadonlySet<StoryStep>): SVGElement {
  const rows = Math.max(steps.length, recorded.length)
  const said = steps.map(({ failing, recorded: r }) => `${failing ?? 'none'} was ${r === undefined ? 'not there' : ordinal(r)}`)
  const lines = recorded.flatMap((step, i) => {
    const j = steps.indexOf(step)
    if (step.failing === undefined) return []
    const [y1, y2] = [(i + 0.5) * ROW, (j + 0.5) * ROW]
    const d = `M0 ${y1} C45 ${y1} 55 ${y2} 100 ${y2}`
    return [svg('path', { class: `thread${swapped.has(step) ? ' swapped' : ''}`, d, 'vector-effect': 'non-scaling-stroke' })]
  })
  return svg(
    'svg',
    {
      class: 'cross',
      viewBox: `0 0 100 ${rows * ROW}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `In the failing order ${said.join(', ')}`,
    },
    ...lines,
  )
}

/** `delay the end of fs.readFile, posted at a.js:6:22 slowly`: what is delayed, and the line. */
function delayText(line: string): string {
  const does = line.replace(/^(delay|pause)\b/, '$1s').replace(/(:\d+):\d+(?: \S+)?$/, '$1')
  return `The replay ${does.replace(/, posted at (\S+)$/, ' ($1)')}`
}

function outcomeView(finding: FindingDocument, names: Names): HTMLElement {
  const { failure, violation, proof, note, schedule, fingerprint, status, replays, branch, locations } = finding
  const error = failure ? shortText(firstWords(failure.message), locations, names) : (violation?.says ?? '')
  const [delayed] = schedule?.kind === 'delays' ? scheduleLines(schedule) : []
  const rate = replays.runs === 0 ? '' : ` ${replays.failures} of ${replays.runs} replays failed.`
  const parts: [string, string, HTMLElement][] = []
  if (proof?.needs !== undefined) parts.push(['late', 'Delay', h('p', {}, printable(`It needs ${proof.needs}.`))])
  else if (note !== undefined) parts.push(['late', 'Note', h('p', {}, printable(note))])
  else if (delayed !== undefined) parts.push(['late', 'Delay', h('p', {}, printable(cut(`${delayText(delayed)}.`, LONGEST_DELAY)))])
  if (error !== '') parts.push(['error', 'Error', h('p', { class: 'outcome' }, printable(error))])
  else if (status !== 'PREDICTED') parts.push(['error', 'Result', h('p', {}, printable(branch?.why ?? `Nothing visible broke.${rate}`))])
  if (schedule) parts.push(['again', 'Replay', command(`npx heddle replay ${fingerprint.slice(0, 8)}`)])
  return h('div', { class: 'parts' }, ...parts.map(([name, title, body]) => h('div', { class: `part ${name}` }, h('h2', {}, title), body)))
}
