/** One finding: its story, both orders as a picture, and folded the source, step by step, why, what failed, and the schedule. */
import type { FindingDocument } from '../../document.ts'
import type { Entry } from '../entry.ts'
import { printable } from '../../escape.ts'
import { lineIn } from '../../excerpt-line.ts'
import { namesIn } from '../../resource-name.ts'
import { sentenceOf } from '../../sentence.ts'
import { folded, h, plural, section } from './element.ts'
import { eventTable } from './event-table.ts'
import { failureView } from './failure-view.ts'
import { Focus, type Spot } from './focus.ts'
import { pictureView, type PictureView } from './picture-view.ts'
import { reasonsView } from './reasons-view.ts'
import { replayView, testView } from './replay-view.ts'
import type { Report } from './report.ts'
import { rowsPicture } from './rows-picture.ts'
import { RunModel } from './run-model.ts'
import { sourceView } from './source-view.ts'
import { stepper } from './stepper.ts'
import { storySteps } from '../../story.ts'
import { storyView } from './story-view.ts'
import { aboutView } from './about-view.ts'
import { statusClass, statusSign, statusText } from './words.ts'

export interface FindingView {
  readonly element: HTMLElement
  readonly focus: Focus | undefined
  readonly picture: PictureView | undefined
}

/** Where the list is, and its findings before and after this one. */
export interface Way {
  readonly back: string
  readonly previous: string | undefined
  readonly next: string | undefined
  /** From 1; 0 where the filters leave it out. */
  readonly place: number
  readonly of: number
}

export function findingView(report: Report, n: number, way: Way, at: Spot | undefined): FindingView | undefined {
  const finding = report.finding(n)
  if (!finding) return undefined
  const entry = report.entries[n]!
  const drawnRun = report.picture(n)
  const picture = drawnRun ?? rowsPicture(finding)
  const failed = entry.status === 'FAILED'
  const line = lineIn({ sources: report.sources() })
  const names = namesIn(finding, line)
  let focus: Focus | undefined
  if (picture) {
    const steps = storySteps(finding)
    const runs = {
      observed: new RunModel(picture, 'observed', names, true, steps),
      failing: new RunModel(picture, 'failing', names, drawnRun === undefined, steps),
    }
    const known = at && at.event < runs[at.run].size ? at : undefined
    focus = new Focus(runs, known ?? { run: 'failing', event: firstMoved(runs.failing) }, {
      observed: 'recorded',
      failing: failed ? 'failing' : 'other',
    })
  }
  const { proof } = finding
  const late = proof?.needs === undefined ? '' : proof.ms === undefined ? 'delayed' : `+${Math.round(proof.ms).toLocaleString('en')} ms`
  const drawn = focus && pictureView(focus, failed, late)
  const failure = failureView(finding)
  const element = h(
    'main',
    { class: 'finding', 'data-id': entry.id },
    crumbs(way),
    h(
      'header',
      {},
      h(
        'p',
        { class: 'headline' },
        h('span', { class: statusClass(entry.status) }, `${statusSign(entry.status)} ${printable(entry.status)}`),
        ` ${titleOf(entry)}`,
        h('span', { class: 'wide' }, ` · ${said(entry)}`),
      ),
      h('h1', {}, ...withCode(printable(sentenceOf(finding, line)))),
      finding.test && h('p', {}, `In the test "${printable(finding.test.name)}" of ${printable(finding.test.file)}.`),
    ),
    storyView(finding, report.sources(), failed, names, focus),
    drawn && section('orders', 'Both runs, aligned at the swap', drawn.element),
    folded('source', 'In the source', sourceView(finding, report.sources(), focus)),
    focus && folded('steps', 'Step by step', stepper(focus), eventTable(focus)),
    folded(
      'why',
      'Why it can happen',
      h(
        'p',
        {},
        said(entry),
        finding.earlier && ' It failed in an earlier check, too.',
        finding.count > 1 && ` ${finding.count} pairs of events have this cause.`,
      ),
      reasonsView(finding, focus),
      finding.also && alsoView(finding.also),
    ),
    failure && folded('failure', 'What was seen', failure),
    finding.schedule &&
      failed &&
      folded('test', 'A regression test', testView(finding, finding.schedule, titleOf(entry), sentenceOf(finding, line))),
    finding.schedule && folded('replay', 'The schedule', replayView(finding, finding.schedule)),
    folded('looked-at', 'What was observed', aboutView(report.head)),
  )
  return { element, focus, picture: drawn }
}

/** Other orders that fail in the same way: `heddle show` knows them by their ids. */
const alsoView = (also: NonNullable<FindingDocument['also']>): HTMLElement =>
  h(
    'details',
    { class: 'also' },
    h('summary', {}, also.length === 1 ? 'Another order fails in the same way.' : `${also.length} other orders fail in the same way.`),
    h(
      'ul',
      {},
      ...also.map((other) =>
        h('li', {}, h('code', {}, printable(other.fingerprint.slice(0, 8))), ` ${printable(`${other.label}: ${other.summary}`)}`),
      ),
    ),
  )

function crumbs({ back, previous, next, place, of }: Way): HTMLElement {
  return h(
    'nav',
    { class: 'crumb', 'aria-label': 'Findings' },
    h('a', { href: back }, '← All findings'),
    of > 1 && place > 0 && h('span', { class: 'quiet' }, `${place} of ${of.toLocaleString('en')}`),
    previous !== undefined && h('a', { href: previous, title: 'Previous finding (k)' }, 'previous'),
    next !== undefined && h('a', { href: next, title: 'Next finding (j)' }, 'next'),
  )
}

/** What stands between backticks is code. */
const withCode = (text: string): (string | HTMLElement)[] => text.split('`').map((part, i) => (i % 2 === 0 ? part : h('code', {}, part)))

/** The first numbered event that is not where the recorded run has it: there the orders part. */
function firstMoved(failing: RunModel): number {
  const { flipped } = failing.picture.observed
  const recorded = flipped.toSorted((a, b) => a - b)
  return failing.flipped.find((event, i) => recorded[i] !== failing.same(event)) ?? failing.flipped[0] ?? 0
}

const titleOf = ({ title, locations }: Entry): string => {
  return printable(`${title}${locations.length > 0 ? ` on ${locations.slice(0, 3).join(', ')}` : ''}`)
}

function said({ status, runs, failures, branch }: Entry): string {
  if (branch !== '' && status !== 'FAILED') return `It goes the other way in this order, and that is ${branch}.`
  if (status === 'FAILED' && runs === 1) return 'The program was run again in this order once, and failed.'
  if (status === 'FAILED' && runs > 0)
    return `The program was run again in this order ${plural(runs, 'time')}, and failed ${failures === runs ? 'every time' : plural(failures, 'time')}.`
  return statusText(status)
}
