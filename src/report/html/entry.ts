/** What the list of a report knows of a finding: enough to show, filter and search it without its picture. Made here and in the browser alike. */
import type { FindingDocument } from '../document.ts'

export interface Entry {
  /** The fingerprint; in a list in which it comes twice, with a number. */
  readonly id: string
  readonly status: string
  readonly kind: string
  /** What people call it; of a property or typestate its name. */
  readonly title: string
  readonly summary: string
  readonly locations: readonly string[]
  /** Files of its sites, without repeats. */
  readonly files: readonly string[]
  /** `file:line` of the first site. */
  readonly at: string
  readonly runs: number
  readonly failures: number
  /** The message of what failed. */
  readonly message: string
  /** Of a test runner. */
  readonly test: string
  readonly branch: string
}

export function entriesOf(findings: readonly FindingDocument[]): Entry[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const times = (seen.get(finding.fingerprint) ?? 0) + 1
    seen.set(finding.fingerprint, times)
    return entryOf(finding, times === 1 ? finding.fingerprint : `${finding.fingerprint}-${times}`)
  })
}

function entryOf(finding: FindingDocument, id: string): Entry {
  const { status, kind, pattern, label, summary, locations, sites, replays, failure, branch, test } = finding
  const places = sites.map((site) => /^(.*?):(\d+)(?::\d+)?(?: |$)/s.exec(site)).filter((place) => place !== null)
  return {
    id,
    status,
    kind,
    title: (kind === 'property' || kind === 'typestate') && pattern !== '' ? pattern : label,
    summary,
    locations: locations.slice(0, 8),
    files: [...new Set(places.map((place) => place[1]!))],
    at: places[0] ? `${places[0][1]!}:${places[0][2]!}` : '',
    runs: replays.runs,
    failures: replays.failures,
    message: failure?.message.slice(0, 200) ?? '',
    test: test ? `${test.file}: ${test.name}` : '',
    branch: (branch as { class?: string } | undefined)?.class ?? '',
  }
}
