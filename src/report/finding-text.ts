/** What `heddle check` prints: failures in full, at most 20 lines each, the rest as counts, and always how much was examined. */
import type { SeenViolation } from '../property/seen.ts'
import type { CheckResult } from '../check.ts'
import type { Finding, Status } from '../confirm/confirm.ts'
import type { Failure } from '../confirm/outcome.ts'
import type { Saved } from '../schedule/saved.ts'
import { shortSite } from '../trace/site.ts'
import { branchLines, isBranch } from './branch-text.ts'
import { partText, shareOf } from './coverage-map.ts'
import { lookedAtText } from './coverage-text.ts'
import type { CheckDocument } from './document.ts'
import { columns, cut, noCommand, pad, printable } from './escape.ts'
import { doing, orders, scheduleLines, shortLocation } from './finding-orders.ts'
import { excerpts, lineFrom, type Source } from './finding-source.ts'
import { alsoText, causeText, eachOf, failureLine, rateOf, replayLine, shortId, titleOf, type Shown } from './finding-words.ts'
import { labelFor, labelled } from './labelled.ts'
import { shortText } from './location-text.ts'
import { shortened, wrap } from './lines.ts'
import { painter, type Paint } from './paint.ts'
import { namesIn } from './resource-name.ts'
import { sentenceOf } from './sentence.ts'
import { sinceText } from './since-text.ts'
import { variesText } from './varies-text.ts'

export interface FindingTextOptions {
  readonly width: number
  readonly colour: boolean
  readonly root: Source
  readonly verbose: boolean
  /** The same check as a document, which knows the last one. */
  readonly document?: CheckDocument
}

export const MOST_LINES = 20
/** Longer lines are hard to read, however wide the terminal is. */
export const WIDEST = 120
const INDENT = '   '
/** Lines of a stack, or of what the program printed. */
const MOST_DETAIL = 4

export function* checkText(result: CheckResult, given: FindingTextOptions): Generator<string> {
  const { findings } = result
  const options = { ...given, width: Math.min(WIDEST, given.width) }
  const paint = painter(options.colour)
  const lines: string[] = []
  const failed = findings.filter((f) => f.status === 'FAILED')
  if (result.elsewhere !== undefined) yield `${wrap(printable(result.elsewhere), options.width, 12).join('\n')}\n\n`
  for (const [i, finding] of failed.entries()) yield `${findingLines(finding, i + 1, options).join('\n')}\n\n`
  lines.push(...branchLines(eachOf(findings), options.width, options.root, paint, shortId))
  lines.push(...wrap(printable(variesOf(result)), options.width, 5).filter((line) => line !== ''))
  lines.push(...restOf(findings, options, paint))
  lines.push(...wrap(printable(headline(result, failed.length)), options.width, 3))
  if (given.document) lines.push(...sinceLines(given.document, options.width))
  lines.push(...wrap(printable(lookedAt(result)), options.width, 6))
  if (given.document && given.verbose) lines.push(...mapLines(given.document, options.width))
  for (const note of result.notes.filter((one) => one !== result.elsewhere))
    lines.push(...wrap(printable(`Note: ${note}`), options.width, 3))
  yield lines.map((line) => `${noCommand(line)}\n`).join('')
}

/** One finding, whatever its status. */
export function findingLines(finding: Finding<Shown>, number: number | undefined, options: FindingTextOptions): string[] {
  const { status, replays } = finding
  const prediction = labelled(finding.prediction)
  const line = lineFrom(options.root)
  const paint = painter(options.colour)
  const whole = Math.min(WIDEST, options.width)
  const width = Math.max(40, whole - INDENT.length)
  const rate = rateOf(replays)
  const title = printable(`${rate === '' ? '' : `${rate}: `}${titleOf(prediction, line)}`)
  const head = `${number === undefined ? '' : `${number}. `}${status}`
  const others = (finding.also ?? []).map((other) => shortId(other.prediction.fingerprint))
  const same = `${alsoText(others)}: ${others.join(' ')}`
  const again = prediction.schedule ? [replayLine(prediction), `More: heddle show ${shortId(prediction.fingerprint)}`] : []
  const ending = again.length > 0 && again.join(INDENT).length <= width ? [again.join(INDENT)] : again
  if (others.length > 0) ending.push(cut(printable(same), width))
  const body = fitting(bodyOf(finding, width, options.root), MOST_LINES - 1 - ending.length, width)
  return [
    `${status === 'FAILED' ? paint.failed(head) : paint.status(head)} ${paint.bold(cut(title, whole - head.length - 1))}`,
    ...[...body, ...ending].map((line) => (line === '' ? '' : noCommand(INDENT + line))),
  ]
}

/** The story (story.ts): what goes wrong, the code, what was late, the error. The replay command follows; what else is known is what `heddle show` prints. */
function bodyOf(finding: Finding<Shown>, width: number, root: Source): Part[] {
  const { prediction, failure, violation, note, branchClass } = finding
  const prose = (text: string, most: number): string[] => wrap(printable(text), width, most)
  const drawn = orders(prediction, root, width)
  const source = drawn.length > 0 ? [] : excerpts(prediction.sites, root, width, 3)
  const gap: Part = { lines: [''], least: 0, gives: 8 }
  const parts: Part[] = [{ lines: prose(sentenceOf(prediction, lineFrom(root)), 3), least: 2, gives: 7, isProse: true }]
  if (branchClass) parts.push({ lines: prose(`This is ${branchClass.class}. ${branchClass.why}`, 2), least: 1, gives: 6, isProse: true })
  parts.push(gap)
  if (source.length > 0) parts.push({ lines: source, least: 2, gives: 5 }, gap)
  if (drawn.length > 0) parts.push({ lines: drawn, least: 5, gives: 4 }, gap)
  if (finding.cause) parts.push({ lines: prose(causeText(finding.cause), 2), least: 1, gives: 6, isProse: true })
  if (note !== undefined) parts.push({ lines: prose(note, 2), least: 1, gives: 6, isProse: true })
  // With an error to show nobody has to be convinced.
  if (!failure && prediction.why.length > 0)
    parts.push({ lines: prose(`Why nothing prevents it: ${prediction.why.join(' ')}`, 3), least: 0, gives: 1, isWhole: true })
  const named = (text: string): string => shortText(text, prediction.locations, namesIn(prediction, lineFrom(root)))
  if (failure?.how !== 'violation') parts.push(...errorParts(failure, width, named))
  const hasError = failure?.how === 'exception' || failure?.how === 'rejection'
  if (violation && !isHeadline(violation, prediction) && !(hasError && isStory(violation, prediction))) {
    const seen = seenLines(violation, prediction, width, named)
    // Beside an error of the program one line is enough.
    parts.push(hasError ? { lines: seen.slice(0, 1), least: 0, gives: 3 } : { lines: seen, least: 2, gives: 3 })
  }
  if (failure?.how === 'violation') {
    parts.push({ lines: failure.detail.slice(0, MOST_DETAIL).flatMap((line) => prose(line, 2)), least: 0, gives: 2 })
    parts.push({ lines: prose('The program itself reported no error.', 2), least: 1, gives: 0 })
  }
  return parts
}

/** `named`: with the names of the source for locations. */
function errorParts(failure: Failure | undefined, width: number, named: (text: string) => string): Part[] {
  if (!failure) return []
  const said = named(failureLine(failure))
  const more = failure.how === 'exception' || failure.how === 'rejection' ? [] : failure.message.split('\n').slice(1)
  const isNew = (line: string): boolean => line.trim() !== '' && !said.replace(/\.$/, '').endsWith(line.trim().replace(/\.$/, ''))
  const detail = [...more, ...failure.detail]
    .map(named)
    .filter(isNew)
    .slice(0, MOST_DETAIL)
    .map((line) => cut(`  ${printable(line)}`, width))
  return [
    { lines: wrap(printable(said), width, 2), least: 2, gives: 0 },
    { lines: detail.slice(0, 1), least: 0, gives: 6 },
    { lines: detail.slice(1), least: 0, gives: 2 },
  ]
}

/** Some lines of a finding, and what it can do without. */
interface Part {
  readonly lines: readonly string[]
  readonly least: number
  /** Lower ones give up lines first; 0 none. */
  readonly gives: number
  /** One sentence after the other: what is left of it ends with dots. */
  readonly isProse?: boolean
  /** A part of it says nothing: all of it goes, or none. */
  readonly isWhole?: boolean
}

/** So many lines at most: the way it failed is always among them. */
function fitting(parts: readonly Part[], most: number, width: number): string[] {
  const kept = parts.map(({ lines }) => lines.length)
  let over = kept.reduce((sum, n) => sum + n, 0) - most
  const givers = parts.map((part, i) => [part, i] as const).filter(([{ gives }]) => gives > 0)
  for (const [{ least, isWhole = false }, i] of givers.sort(([a], [b]) => a.gives - b.gives)) {
    const given = isWhole && over > 0 ? kept[i]! : Math.max(0, Math.min(over, kept[i]! - least))
    kept[i]! -= given
    over -= given
  }
  return parts.flatMap(({ lines, isProse }, i) =>
    isProse && lines.length > 1 ? shortened(lines, width, kept[i]!) : lines.slice(0, kept[i]),
  )
}

/** What the replay violated, as it was seen: each operation, its place, and the state that did not permit the last one. */
/** Says the headline the same? Then the property that was seen adds nothing. */
const isHeadline = ({ kind, property, says }: SeenViolation, prediction: Shown): boolean =>
  prediction.property === undefined
    ? labelFor(kind, property) === labelFor(prediction.kind, prediction.pattern)
    : prediction.summary === says && labelFor(kind, property) !== property && prediction.failing.length === 0

/** The orders that are shown are those of a property of the library: they say what it would. */
const isStory = ({ kind, property }: SeenViolation, prediction: Shown): boolean =>
  prediction.property?.name === property && labelFor(kind, property) !== property && prediction.failing.length > 0

/** A property of the user has the name that he gave it; what ships with Heddle says what it is about. */
function seenLines(
  { property, says, kind, state, events }: SeenViolation,
  prediction: Shown,
  width: number,
  named: (text: string) => string,
): string[] {
  const own =
    labelFor(kind, property) === property ? `${kind} ${property} is violated${state === undefined ? '' : ` in state ${state}`}.` : ''
  const other = prediction.property?.name === property && own !== '' ? '' : named(says)
  const lines = wrap(printable(['Seen in the replay:', own, other].filter((part) => part !== '').join(' ')), width, 2)
  for (const { name: event, does, verb, what, stack } of events.slice(0, 4))
    lines.push(
      cut(
        printable(`  ${event}: ${doing(does, verb)} ${shortLocation(what)}${stack.length === 0 ? '' : `, ${shortSite(stack[0]!)}`}`),
        width,
      ),
    )
  return lines
}

/** What a screen has no room for: the schedule, step by step, all accesses and the whole message. */
export function wholeFailure({ prediction, failure, violation }: Finding<Saved>): string[] {
  const { command, timers } = prediction.schedule
  const lines = [
    '',
    `Command: ${printable(command.join(' '))} (timers ${timers})`,
    '',
    'Schedule:',
    ...scheduleLines(prediction.schedule).map((line, i) => `  ${i + 1}. ${printable(line)}`),
  ]
  for (const [heading, steps] of [
    ['Recorded order:', prediction.observed],
    ['Failing order:', prediction.failing],
  ] as const) {
    lines.push('', heading)
    for (const step of steps) {
      lines.push(`  ${printable(`${step.name}${step.posted === '' ? '' : `, from ${step.posted}`}`)}`)
      for (const { access, verb, location, value, site } of step.accesses)
        lines.push(`    ${printable(`${doing(access, verb)} ${location}${value === undefined ? '' : ` = ${value}`}  ${site}`)}`)
    }
  }
  if (prediction.why.length > 0) lines.push('', 'Why nothing prevents it:', ...prediction.why.map((line) => `  ${printable(line)}`))
  if (violation) {
    lines.push('', `Violated: ${printable(violation.says)}`)
    for (const event of violation.events) {
      const inside = `${event.turn === '' ? '' : ` in ${event.turn}`}, chain ${event.task}`
      lines.push(
        `  ${printable(`${event.name}: ${doing(event.does, event.verb)} ${event.what}${event.object === '' ? '' : ` of ${event.object}`}${inside}`)}`,
      )
      for (const place of event.stack) lines.push(`    ${printable(`at ${place}`)}`)
    }
  }
  if (prediction.property)
    lines.push(
      '',
      'Property:',
      ...prediction.property.text
        .trimEnd()
        .split('\n')
        .map((line) => `  ${printable(line)}`),
    )
  if (failure) lines.push('', 'Failure:', ...[...failure.message.split('\n'), ...failure.detail].map((line) => `  ${printable(line)}`))
  return lines.map(noCommand)
}

/** `Since the last check: …`, and what no longer fails. */
function sinceLines(document: CheckDocument, width: number): string[] {
  const said = sinceText(document.since, document.findings)
  if (said === '') return []
  return [
    said,
    ...(document.since?.fixed ?? [])
      .slice(0, MOST_FIXED)
      .map((one) => cut(printable(`${INDENT}fixed  ${shortId(one.fingerprint)}  ${one.sentence}`), width)),
  ]
}
const MOST_FIXED = 5

/** The parts of the program, a line each: modules observed and skipped, and the share of the recorded events. */
function mapLines({ recorded: { map = [] } }: CheckDocument, width: number): string[] {
  const most = Math.min(40, Math.max(0, ...map.map(({ part }) => columns(printable(part)))))
  return map.map((part) =>
    cut(`${INDENT}${pad(cut(printable(part.part), most), most)}  ${shareOf(part, map).padStart(5)}  ${printable(partText(part))}`, width),
  )
}

/** Findings that did not fail: a line each on demand, else only how many. */
function restOf(findings: readonly Finding<Saved>[], { verbose, width, root }: FindingTextOptions, paint: Paint): string[] {
  const line = lineFrom(root)
  const ignored = findings
    .filter(({ status }) => status === 'IGNORED')
    .map(({ prediction, note = '' }) => {
      const text = `${shortId(prediction.fingerprint)}  ${titleOf(labelled(prediction), line)} (${note.replace(/^Ignored: /, '')})`
      return `${paint.status('IGNORED')} ${cut(printable(text), width - 'IGNORED '.length)}`
    })
  for (const { status, prediction, note = '' } of findings)
    if (status === 'NEEDS DELAY') {
      const [first, ...more] = wrap(
        printable(`${shortId(prediction.fingerprint)}  ${titleOf(labelled(prediction), line)}. ${note}`),
        width - status.length - 1,
        3,
      )
      ignored.push(`${paint.status(status)} ${first}`, ...more.map((line) => INDENT + line))
    }
  const rest = findings.filter((f) => f.status !== 'FAILED' && f.status !== 'IGNORED' && f.status !== 'NEEDS DELAY' && !isBranch(f))
  if (rest.length === 0) return ignored
  if (!verbose) {
    const parts = COUNTED.map(([counts, words]) => [rest.filter(counts).length, words] as const)
      .filter(([n]) => n > 0)
      .map(([n, words]) => `${n} ${words}`)
    return [...ignored, ...wrap(`Also predicted: ${parts.join(', ')} (--verbose lists them).`, width, 2)]
  }
  const lines = rest.map(({ status, prediction, note }) => {
    const text = `${shortId(prediction.fingerprint)}  ${labelFor(prediction.kind, prediction.pattern)}: ${sentenceOf(prediction, line)}${note === undefined ? '' : ` (${note})`}`
    return `${paint.status(status)} ${cut(printable(text), width - status.length - 1)}`
  })
  return [...ignored, ...lines, '']
}

const isOf =
  (status: Status) =>
  (f: Finding<Saved>): boolean =>
    f.status === status
const alsoFails = (f: Finding<Saved>): boolean => f.status === 'REPRODUCED' && f.replays.failures > 0

const COUNTED: readonly (readonly [(f: Finding<Saved>) => boolean, string])[] = [
  [alsoFails, 'failed, but not clearly because of the schedule'],
  [(f) => f.status === 'REPRODUCED' && !alsoFails(f), 'reproduced without a visible failure'],
  [isOf('DIVERGED'), 'diverged'],
  [isOf('NOT REACHED'), 'not reached'],
  [isOf('TIMED OUT'), 'timed out'],
  [isOf('PREDICTED'), 'not replayed'],
]

function headline({ interrupted, seconds, determinism, recording, nothingObserved }: CheckResult, failures: number): string {
  const cutShort = interrupted ? 'INCOMPLETE: interrupted before everything was examined. ' : ''
  const took = seconds < 1 ? '' : ` in ${seconds.toFixed(1)} s`
  if (failures > 0) return `${cutShort}${failures === 1 ? 'One failure' : `${failures} failures`} confirmed${took}.`
  if (nothingObserved && recording.stuck) return `${cutShort}Nothing could be looked for: the recorded run did not end.`
  return `${cutShort}${determinism.differed.length > 0 ? 'Nothing could be confirmed' : 'No failure was found'}${took}.`
}

/** What the program does without any delay, in words. */
const variesOf = ({ determinism: { differed: varies, runs, failed, alone }, findings }: CheckResult): string =>
  variesText({ varies, plain: { runs, failed, alone }, failed: findings.filter((f) => f.status === 'FAILED').length })

/** Printed with every result, so that silence is not taken for proof. */
export const lookedAt = ({
  coverage,
  recording: { observed },
  findings,
  replays,
  determinism,
}: Pick<CheckResult, 'coverage' | 'recording' | 'findings' | 'replays' | 'determinism'>): string =>
  lookedAtText({
    coverage: coverage.saved(),
    recorded: { ...observed, modules: observed.modules.length },
    replays,
    plain: determinism.runs,
    notReplayed: findings.filter((f) => f.status === 'PREDICTED').length,
  })
