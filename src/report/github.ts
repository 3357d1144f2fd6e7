/** Findings as annotations of GitHub Actions: lines that its runner reads from the output and shows in the changed files of a pull request. */
import { relative, resolve } from 'node:path'
import type { CheckDocument, FindingDocument } from './document.ts'
import { printable } from './escape.ts'
import { placeOf, shortSite } from '../trace/site.ts'
import { failureLine, rateOf, replayLine, titleOf } from './finding-words.ts'
import { worstFirst } from './listing.ts'
import { lineIn } from './excerpt-line.ts'
import { namesIn, type Names } from './resource-name.ts'
import { sentenceOf } from './sentence.ts'
import { circled, doneIn, ordinal, storySteps, type StoryStep } from './story.ts'

/** GitHub shows so many of each level for a step and drops the others without a word. */
const MOST = 10
const MOST_STEPS = 6

/** `workspace`: the folder that files are named from, the root of the repository. */
export function* githubAnnotations(document: CheckDocument, workspace: string = document.root): Generator<string> {
  const findings = worstFirst(document.findings)
  let left = 0
  for (const [level, status] of [
    ['error', 'FAILED'],
    ['warning', 'REPRODUCED'],
  ] as const) {
    const those = findings.filter((f) => f.status === status)
    for (const finding of those.slice(0, MOST)) yield annotation(level, finding, document, workspace)
    left += Math.max(0, those.length - MOST)
  }
  if (left > 0)
    yield `::notice title=Heddle::${data(`${left} more ${left === 1 ? 'finding is' : 'findings are'} not annotated: GitHub shows ${MOST} of each level. The output and the reports have all of them.`)}\n`
}

function annotation(level: string, finding: FindingDocument, document: CheckDocument, workspace: string): string {
  const line = lineIn(document)
  const names = namesIn(finding, line)
  const { failure, status, replays, sites, test, note, proof } = finding
  const place = placeOf(sites[0] ?? '') ?? (test ? { file: test.file, line: 1, column: 0, name: '' } : undefined)
  const file = place && fileFrom(place.file, document.root, workspace)
  const rate = rateOf(replays)
  const lines = [
    sentenceOf(finding, line),
    ...storySteps(finding)
      .slice(0, MOST_STEPS)
      .map((step) => stepText(step, names)),
    proof?.needs === undefined ? '' : `It needs ${proof.needs}.`,
    failure && failure.how !== 'violation' ? failureLine(failure) : '',
    note ?? '',
    test ? `Test: ${test.name}` : '',
    `${status}${rate === '' ? '' : ` in ${rate}`}. ${replayLine(finding)}`.trimEnd(),
  ].filter((line) => line !== '')
  const where =
    file === undefined
      ? []
      : [`file=${property(file)}`, `line=${place!.line}`, `endLine=${place!.line}`, ...(place!.column ? [`col=${place!.column}`] : [])]
  const title = `title=${property(`Heddle: ${titleOf(finding, line)}`)}`
  return `::${level} ${[...where, title].join(',')}::${data(lines.map(printable).join('\n'))}\n`
}

/** `② shop.js:11 reads left.json (recorded 3rd)` */
function stepText({ row, failing, recorded }: StoryStep, names: Names): string {
  const [first] = row.accesses
  const done = first ? `${shortSite(first.site)} ${doneIn(row, names)}` : row.name
  return `${failing === undefined ? '–' : circled(failing)} ${done} (${recorded === undefined ? 'not recorded' : `recorded ${ordinal(recorded)}`})`
}

/** Undefined for what is not in the workspace. */
function fileFrom(file: string, root: string, workspace: string): string | undefined {
  if (/^[a-z][\w+.-]+:/i.test(file)) return undefined
  const path = relative(workspace, resolve(root, file)).replaceAll('\\', '/')
  return path === '' || path.startsWith('..') ? undefined : path
}

/** After the second `::` a line ends the command, and % begins an escape. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** In a property : and , would end it, too. */
const property = (text: string): string => data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
