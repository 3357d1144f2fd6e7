/** The result of a check as Markdown, short enough for a comment on a pull request. Its first line is a marker by which a bot finds its comment again. */
import type { CheckDocument, FindingDocument } from './document.ts'
import { printable } from './escape.ts'
import { findingOf } from './document-finding.ts'
import { lineIn } from './excerpt-line.ts'
import { orders } from './finding-orders.ts'
import { placeOf } from '../trace/site.ts'
import { alsoText, causeText, failureLine, replayCommand, shortId, titleOf } from './finding-words.ts'
import { shellWord } from './lines.ts'
import { block, cellCode, code, html, plain } from './markdown-text.ts'
import { commandOf, failuresIn, verdictOf, worstFirst } from './listing.ts'
import { sentenceOf } from './sentence.ts'
import { variesText } from './varies-text.ts'

export const MARK = '<!-- heddle -->'
/** GitHub takes 65,536 characters. */
export const MOST_CHARACTERS = 60_000
/** For the last sentences. */
const RESERVED = 2000
const MOST_ROWS = 50
const WIDTH = 100
const LONGEST = 600

export function* markdownReport(document: CheckDocument): Generator<string> {
  const { findings, varies, plain: runs, notes, lookedAt } = document
  const all = worstFirst(findings)
  let left = MOST_CHARACTERS - RESERVED
  const fits = (text: string): boolean => (left -= text.length) >= 0
  const head = [MARK, `### Heddle: ${verdictOf(document)}`, '', `${code(clip(shownCommand(document)))}. ${plain(clip(lookedAt))}`, '']
  const itself = variesText({ varies, plain: runs, failed: failuresIn(document) })
  if (itself !== '') head.push(plain(clip(itself)), '')
  const rows = all.slice(0, MOST_ROWS).map((finding) => rowOf(document, finding))
  if (rows.length > 0) head.push('| status | finding | where | replays that failed |', '|---|---|---|---|', ...rows.filter(fits), '')
  const begin = `${head.join('\n')}\n`
  left -= begin.length - rows.join('').length
  yield begin
  let shown = 0
  for (const finding of all) {
    const text = detailsOf(document, finding)
    if (!fits(text)) break
    yield text
    shown++
  }
  for (const note of notes.slice(0, 5)) yield `Note: ${plain(note.slice(0, 200))}\n\n`
  if (shown < all.length)
    yield `${all.length - shown} of ${all.length} findings are left out here, as a comment has room for ${MOST_CHARACTERS.toLocaleString('en')} characters. \`heddle report --to report.html\` shows all of them.\n`
}

function rowOf(document: CheckDocument, finding: FindingDocument): string {
  const { runs, failures } = finding.replays
  const place = placeOf(finding.sites[0] ?? '')
  const where = place ? cellCode(clip(`${place.file}:${place.line}`)) : ''
  return `| ${finding.status} | ${plain(clip(titleOf(finding, lineIn(document))))} | ${where} | ${runs === 0 ? 'none' : `${failures} of ${runs}`} |`
}

/** The story is open for the findings that failed; everything else folds. */
function detailsOf(document: CheckDocument, finding: FindingDocument): string {
  const { status, why, failure, note, test, branch, also = [], fingerprint, schedule } = finding
  const { prediction, cause } = findingOf(finding)
  const title = `${status}: <code>${html(clip(titleOf(finding, lineIn(document))))}</code>`
  const parts = [plain(clip(sentenceOf(finding, lineIn(document))))]
  if (branch && 'class' in branch) parts.push(plain(clip(`This is ${branch.class}. ${branch.why ?? ''}`)))
  if (test) parts.push(`Test: ${code(clip(`${test.file} > ${test.name}`))}`)
  const drawn = orders(prediction, lineIn(document), WIDTH)
  if (drawn.length > 0) parts.push(block(drawn))
  if (cause && causeText(cause) !== '') parts.push(plain(clip(causeText(cause))))
  if (note !== undefined) parts.push(plain(clip(note)))
  if (failure?.how === 'violation') parts.push('The program itself reported no error.')
  else if (failure) parts.push(block([printable(clip(failureLine(failure)))]))
  if (schedule) parts.push(`Replay it: \`${replayCommand(fingerprint)}\``)
  const stack = failure?.how === 'violation' ? [] : (failure?.detail.slice(0, 4).map((line) => printable(clip(line))) ?? [])
  const rest = [
    ...(stack.length > 0 ? [block(stack)] : []),
    ...(why.length > 0 ? [`Why nothing prevents it: ${plain(clip(why.join(' ')))}`] : []),
    ...(also.length > 0 ? [`${alsoText(also)}: ${also.map((other) => code(shortId(other.fingerprint))).join(' ')}`] : []),
  ]
  if (rest.length > 0) parts.push(folded('More', rest))
  return status === 'FAILED' ? `#### ${title}\n\n${parts.join('\n\n')}\n\n` : `${folded(title, parts)}\n\n`
}

const folded = (summary: string, parts: readonly string[]): string =>
  `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`

const shownCommand = (document: CheckDocument): string => (document.trace ? commandOf(document) : document.command).map(shellWord).join(' ')

const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
