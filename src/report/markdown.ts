/** The result of a check as Markdown, short enough for a comment on a pull request. Its first line is a mark by which a bot finds its comment again. */
import type { CheckDocument, FindingDocument } from './document.ts'
import { printable } from './escape.ts'
import { findingOf } from './document-finding.ts'
import { orders } from './finding-orders.ts'
import { placeOf } from '../trace/site.ts'
import { alsoText, failureLine, proofText, replayCommand, shortId, titleOf } from './finding-words.ts'
import { shellWord } from './lines.ts'
import { block, cellCode, code, html, plain } from './markdown-text.ts'
import { commandOf, failuresIn, verdictOf, worstFirst } from './listing.ts'
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
  const rows = all.slice(0, MOST_ROWS).map(rowOf)
  if (rows.length > 0) head.push('| status | finding | where | replays that failed |', '|---|---|---|---|', ...rows.filter(fits), '')
  const begin = `${head.join('\n')}\n`
  left -= begin.length - rows.join('').length
  yield begin
  let shown = 0
  for (const finding of all) {
    const text = detailsOf(finding)
    if (!fits(text)) break
    yield text
    shown++
  }
  for (const note of notes.slice(0, 5)) yield `Note: ${plain(note.slice(0, 200))}\n\n`
  if (shown < all.length)
    yield `${all.length - shown} of ${all.length} findings are left out here, as a comment has room for ${MOST_CHARACTERS.toLocaleString('en')} characters. \`heddle report --to report.html\` shows all of them.\n`
}

function rowOf(finding: FindingDocument): string {
  const { runs, failures } = finding.replays
  const place = placeOf(finding.sites[0] ?? '')
  const where = place ? cellCode(clip(`${place.file}:${place.line}`)) : ''
  return `| ${finding.status} | ${plain(clip(titleOf(finding)))} | ${where} | ${runs === 0 ? 'none' : `${failures} of ${runs}`} |`
}

function detailsOf(finding: FindingDocument): string {
  const { status, summary, why, failure, note, test, branch, also = [] } = finding
  const parts = [plain(clip(summary))]
  if (test) parts.push(`Test: ${code(clip(`${test.file} > ${test.name}`))}`)
  const drawn = orders(findingOf(finding).prediction, WIDTH)
  if (drawn.length > 0) parts.push(block(drawn))
  if (failure && failure.how === 'violation') parts.push('The program itself noticed nothing.')
  else if (failure) {
    const detail = failure.detail.slice(0, 4).map((line) => `  ${printable(clip(line))}`)
    parts.push(block([printable(clip(failureLine(failure))), ...detail]))
  }
  const proved = proofText(finding.proof)
  if (proved !== '') parts.push(plain(clip(proved)))
  if (why.length > 0) parts.push(`Why nothing prevents it: ${plain(clip(why.join(' ')))}`)
  if (branch && 'class' in branch) parts.push(plain(clip(`This is ${branch.class}. ${branch.why ?? ''}`)))
  if (note !== undefined) parts.push(plain(clip(note)))
  if (also.length > 0) parts.push(`${alsoText(also)}: ${also.map((other) => code(shortId(other.fingerprint))).join(' ')}`)
  if (finding.schedule) parts.push(`Replay it: \`${replayCommand(finding.fingerprint)}\``)
  return `<details><summary>${status}: <code>${html(clip(titleOf(finding)))}</code></summary>\n\n${parts.join('\n\n')}\n\n</details>\n\n`
}

const shownCommand = (document: CheckDocument): string => (document.trace ? commandOf(document) : document.command).map(shellWord).join(' ')

const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
