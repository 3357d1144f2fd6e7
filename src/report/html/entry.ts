/**
 * What the list of a report needs of a finding: enough to show, group, filter and search it without its picture. The same code runs here and in the
 * browser.
 */
import { placeOf } from '../../trace/site.ts'
import type { FindingDocument } from '../document.ts'
import { namesIn, type Line } from '../resource-name.ts'
import { sentenceOf } from '../sentence.ts'
import { firstWords } from '../story.ts'

export interface Entry {
  /** The fingerprint; in a list in which it comes twice, with a number. */
  readonly id: string
  readonly status: string
  readonly kind: string
  /** What people call it: `lost update`; of a property of theirs its name. */
  readonly title: string
  readonly summary: string
  /** The same with locations as they were recorded, for the search. */
  readonly text: string
  /** What it is about, as the source names it. */
  readonly locations: readonly string[]
  /** Files of its sites, without repeats. */
  readonly files: readonly string[]
  /** `file:line`, the first few, without repeats. */
  readonly sites: readonly string[]
  readonly runs: number
  readonly failures: number
  /** The first words of what failed; of what is ignored the reason. */
  readonly message: string
  /** Of a test runner. */
  readonly test: string
  readonly branch: string
  /** `new` or `known` since the last check; empty where there was none. */
  readonly since: string
}

const MOST_NAMES = 4
const MOST_SITES = 3

export function entriesOf(findings: readonly FindingDocument[], line: Line): Entry[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const times = (seen.get(finding.fingerprint) ?? 0) + 1
    seen.set(finding.fingerprint, times)
    return entryOf(finding, times === 1 ? finding.fingerprint : `${finding.fingerprint}-${times}`, line)
  })
}

function entryOf(finding: FindingDocument, id: string, line: Line): Entry {
  const { status, kind, pattern, label, locations, sites, replays, failure, branch, test, note = '', since = '' } = finding
  const places = sites.map(placeOf).filter((place) => place !== undefined)
  return {
    id,
    status,
    kind,
    title: label === kind && pattern !== '' ? pattern : label,
    summary: sentenceOf(finding, line),
    text: finding.summary,
    locations: [...new Set(locations.map(namesIn(finding, line)))].slice(0, MOST_NAMES),
    files: [...new Set(places.map((place) => place.file))],
    sites: [...new Set(places.map((place) => `${place.file}:${place.line}`))].slice(0, MOST_SITES),
    runs: replays.runs,
    failures: replays.failures,
    message: status === 'IGNORED' || status === 'NEEDS DELAY' ? note : firstWords(failure?.message ?? '').slice(0, 200),
    test: test ? `${test.file}: ${test.name}` : '',
    branch: (branch as { class?: string } | undefined)?.class ?? '',
    since,
  }
}
