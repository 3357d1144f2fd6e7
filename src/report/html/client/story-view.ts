/** The top of a finding: your code in the recorded and in the failing order with the swap between them, what was late, the error, and the command that shows it again. */
import type { CheckDocument, FindingDocument } from '../../document.ts'
import { cut, printable } from '../../escape.ts'
import { shortLocation } from '../../location-text.ts'
import { ordinal, storySteps, swapOf, valueOf, type StoryStep } from '../../story.ts'
import { doing } from '../../verbs.ts'
import { command } from './command.ts'
import { h, plural, svg } from './element.ts'
import { badge } from './event-view.ts'
import { shortSite } from './place.ts'
import { codeOf, lineOf } from './source-view.ts'
import { placeOf } from '../../../trace/site.ts'

const MOST_STEPS = 6
const HUES = 6
const LONGEST_VALUE = 40
/** Of a row: the same in style.css. */
const ROW = 50

export function storyView(finding: FindingDocument, sources: CheckDocument['sources'], failed: boolean): HTMLElement {
  return h(
    'section',
    { id: 'story', class: 'story', 'aria-label': 'What happened' },
    swapView(finding, sources, failed),
    outcomeView(finding),
  )
}

function swapView(finding: FindingDocument, sources: CheckDocument['sources'], failed: boolean): HTMLElement | undefined {
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
  const values = new Map(steps.map((step) => [step, valueIn(finding, step)]))
  const view = h(
    'div',
    { class: 'swap' },
    h('h2', { class: 'swap-head' }, 'Recorded', h('span', { class: 'wide' }, ' order: it went well')),
    h('span', {}),
    h('h2', { class: 'swap-head' }, failed ? 'Failing order' : 'The other order', h('span', { class: 'wide' }, ', in your code')),
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
            place && h('span', { class: 'at mono', title: printable(site) }, shortSite(site)),
            place ? codeOf(lineOf(sources, place)?.trim(), undefined) : h('code', { class: 'quiet' }, printable(cut(step.row.name, 60))),
          ),
        )
      }),
    ),
    all.length > MOST_STEPS && h('p', { class: 'quiet more' }, `and ${plural(all.length - MOST_STEPS, 'more step')}`),
    h('p', { class: 'quiet who' }, ...legend(finding, chains)),
  )
  view.style.setProperty('--rows', String(Math.max(steps.length, recorded.length)))
  return view
}

const doesOf = ({ row }: StoryStep): string => {
  const [first, ...more] = row.accesses
  if (!first) return printable(row.name)
  const others = more.length === 0 ? '' : ` +${more.length}`
  return printable(`${doing(first.access, first.verb)} ${shortLocation(first.location)}${others}`)
}

/** `= 1`; where both runs saw something, and not the same, `= 1, not 0`. */
function valueIn(finding: FindingDocument, { row, recorded }: StoryStep): string {
  const there = recorded === undefined ? undefined : finding.observed[recorded - 1]
  const [own, before] = [valueOf(row), there ? valueOf(there) : '']
  const said = (value: string): string => printable(cut(value, LONGEST_VALUE))
  if (own === '') return ''
  return before === '' || before === own ? `= ${said(own)}` : `= ${said(own)}, not ${said(before)}`
}

function legend(finding: FindingDocument, chains: readonly string[]): (Node | string)[] {
  return chains.slice(0, 4).flatMap((chain, n) => {
    const row = [...finding.failing, ...finding.observed].find((one) => one.chain === chain)!
    const from = row.posted === '' ? '' : `, from ${shortSite(row.posted.split(' < ').at(-1)!)}`
    const name = printable(cut(row.name.replace(/, outside the loop$/, ''), 40))
    return [h('span', {}, h('span', { class: `tag hue-${n % HUES}` }, String.fromCharCode(65 + (n % 26))), ` ${name}${from}`)]
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

function outcomeView({ failure, violation, proof, note, schedule, fingerprint, status, replays }: FindingDocument): HTMLElement {
  const error = failure ? failure.message.split('\n')[0]! : (violation?.says ?? '')
  const rate = replays.runs === 0 ? '' : ` ${replays.failures} of ${replays.runs} replays failed.`
  const parts: [string, string, HTMLElement][] = []
  if (proof?.needs !== undefined) parts.push(['late', 'Late', h('p', {}, printable(`It needs ${proof.needs}.`))])
  else if (note !== undefined) parts.push(['late', 'Note', h('p', {}, printable(note))])
  if (error !== '') parts.push(['error', 'Error', h('p', { class: 'outcome' }, printable(error))])
  else if (status !== 'PREDICTED') parts.push(['error', 'Result', h('p', {}, `Nothing visible broke.${rate}`)])
  if (schedule) parts.push(['again', 'Replay', command(`npx heddle replay ${fingerprint.slice(0, 8)}`)])
  return h('div', { class: 'parts' }, ...parts.map(([name, title, body]) => h('div', { class: `part ${name}` }, h('h2', {}, title), body)))
}
