/** The lines around the sites of a document, so that a report can show them on a machine without the sources. */
import type { findingJson } from './finding-json.ts'
import { placeOf } from '../trace/site.ts'
import { sourceText } from '../base/source-file.ts'

export interface SourceExcerpt {
  /** The line of the first one, from 1. */
  readonly from: number
  readonly lines: readonly string[]
}

const AROUND = 4
/** Of minified sources. */
const LONGEST_LINE = 400
const MOST_LINES = 20_000

/** Every place that a finding names. A call chain is several: `a.js:3:5 f < a.js:9:1`. */
export function* sitesOf(finding: ReturnType<typeof findingJson>): Generator<string> {
  yield* finding.sites
  if (finding.branch) yield finding.branch.site
  for (const step of [...finding.observed, ...finding.failing]) {
    yield* step.posted.split(' < ')
    for (const access of step.accesses) yield* access.site.split(' < ')
  }
  for (const event of finding.violation?.events ?? []) yield* event.stack
  if (!finding.picture) return
  const { strings, lanes, observed, failing } = finding.picture
  const sites = new Set(lanes.map((lane) => lane.from))
  for (const run of [observed, failing]) for (const site of run.site) sites.add(site)
  for (const site of sites) if (site >= 0) yield* strings[site]!.split(' < ')
}

export function excerptsOf(sites: Iterable<string>, root: string): Record<string, SourceExcerpt[]> {
  const wanted = new Map<string, Set<number>>()
  for (const site of new Set(sites)) {
    const place = placeOf(site)
    if (!place) continue
    const lines = wanted.get(place.file)
    if (lines) lines.add(place.line)
    else wanted.set(place.file, new Set([place.line]))
  }
  // Names of files are the program's: `__proto__` is one, too.
  const excerpts = new Map<string, SourceExcerpt[]>()
  let left = MOST_LINES
  for (const [file, numbers] of wanted) {
    const source = sourceText(file, root)?.split(/\r?\n/)
    if (!source) continue
    const found: SourceExcerpt[] = []
    for (const [from, to] of rangesOf(numbers, source.length)) {
      if ((left -= to - from + 1) < 0) break
      found.push({ from, lines: source.slice(from - 1, to).map((line) => line.slice(0, LONGEST_LINE)) })
    }
    if (found.length > 0) excerpts.set(file, found)
  }
  return Object.fromEntries(excerpts)
}

/** First and last line of stretches that hold every line and what is around it; those that touch are one. */
function rangesOf(numbers: ReadonlySet<number>, end: number): [number, number][] {
  const ranges: [number, number][] = []
  for (const line of [...numbers].sort((a, b) => a - b)) {
    if (line < 1 || line > end) continue
    const last = ranges.at(-1)
    const to = Math.min(end, line + AROUND)
    if (last && line - AROUND <= last[1] + 1) last[1] = to
    else ranges.push([Math.max(1, line - AROUND), to])
  }
  return ranges
}
