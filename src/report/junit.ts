/**
 * The result of a check as JUnit XML, which CI servers show next to the tests: a test case for each finding. FAILED is a failure, with the text of
 * the terminal; other findings are skipped. If nothing failed, one test case passes and says how much was examined.
 */
import type { CheckDocument, FindingDocument } from './document.ts'
import { terminalLines } from './document-finding.ts'
import { lineIn } from './excerpt-line.ts'
import { printable } from './escape.ts'
import { placeOf } from '../trace/site.ts'
import { failureLine, nameOf, shortId } from './finding-words.ts'
import { shellWord } from './lines.ts'
import { commandOf, failuresIn, verdictOf, worstFirst } from './listing.ts'
import { sentenceOf } from './sentence.ts'
import { variesText } from './varies-text.ts'

const WIDTH = 100

export function* junitReport(document: CheckDocument): Generator<string> {
  const { findings, varies, plain, complete, notes, lookedAt, seconds, started } = document
  const failures = failuresIn(document)
  const passes = failures === 0 && complete && varies.length === 0 && !(document.trace && findings.length > 0)
  const counts = attributes({
    tests: findings.length + Number(passes) + Number(!complete) + Number(varies.length > 0),
    failures,
    errors: Number(!complete),
    skipped: findings.length - failures + Number(varies.length > 0),
    time: seconds.toFixed(3),
  })
  const name = attributes({ name: commandOf(document).map(shellWord).join(' ') })
  const time = Number.isNaN(Date.parse(started)) ? '' : attributes({ timestamp: new Date(started).toISOString().slice(0, 19) })
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: 'heddle' })}${counts}>\n<testsuite${name}${counts}${time}>\n`
  if (!complete) yield extraCase('the check is complete', '<error message="It was interrupted before everything was examined."/>')
  if (varies.length > 0)
    yield extraCase(
      'the program ends in the same way every time',
      `<skipped${attributes({ message: variesText({ varies, plain, failed: failures }) })}/>`,
    )
  if (passes) yield extraCase(document.trace ? 'nothing was predicted' : 'no failure was found', '')
  for (const finding of worstFirst(findings)) yield caseOf(finding, document)
  const said = [`${verdictOf(document)}.`, lookedAt, ...notes.map((note) => `Note: ${note}`)]
  yield `<system-out>${said.map(text).join('\n')}</system-out>\n</testsuite>\n</testsuites>\n`
}

function caseOf(finding: FindingDocument, document: CheckDocument): string {
  const { status, failure, test, sites, fingerprint } = finding
  const sentence = sentenceOf(finding, lineIn(document))
  const place = placeOf(sites[0] ?? '')
  const file = test?.file ?? place?.file
  const head = attributes({
    // Without what it is about: temporary files have another name every time, and servers follow test cases by theirs.
    name: `${test ? `${test.name}: ` : ''}${nameOf(finding)}${place?.name ? ` in ${place.name}` : ''} (${shortId(fingerprint)})`,
    classname: file ?? 'heddle',
    ...(file === undefined ? {} : { file }),
    ...(place && !test ? { line: place.line } : {}),
  })
  const lines = terminalLines(document, finding, WIDTH).map(text).join('\n')
  const body =
    status === 'FAILED'
      ? `<failure${attributes({ message: failure ? failureLine(failure) : sentence, type: failure?.how ?? 'failure' })}>${lines}</failure>`
      : `<skipped${attributes({ message: `${status}: ${sentence}` })}/>\n<system-out>${lines}</system-out>`
  return `<testcase${head}>\n${body}\n</testcase>\n`
}

const extraCase = (name: string, body: string): string =>
  `<testcase${attributes({ name, classname: 'heddle' })}${body === '' ? '/>' : `>\n${body}\n</testcase>`}\n`

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${text(String(value))}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** XML cannot hold control characters at all, not even as entities: they become `\uXXXX`. */
const text = (value: string): string => printable(value).replaceAll(/[&<>"']/g, (c) => ENTITIES[c]!)
