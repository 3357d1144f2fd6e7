/**
 * The tests of a run as one document, so that `heddle report`, `heddle open` and every format show them like those of a check. Each test that was
 * replayed leaves its own in the folder of the run; the end of the run puts them together in .heddle/findings.json.
 */
import { writeJson } from '../base/json-file.ts'
import { orNothing } from '../base/or-nothing.ts'
import { readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { Store } from '../store/store.ts'
import { addedUp } from '../coverage.ts'
import { DOCUMENT_SCHEMA, type CheckDocument, type FindingDocument, type SourceExcerpt } from '../report/document.ts'
import { documentJson } from '../report/finding-json.ts'
import { lastDocument } from '../report/last-document.ts'
import { readDocument } from '../report/read-document.ts'
import { since } from '../report/since.ts'
import type { TestSummary } from './contract.ts'
import type { TestSettings } from './settings.ts'
import { summaryLines } from './summary-text.ts'

const FOLDER = 'documents'

export function keepDocument(runs: string, name: string, document: CheckDocument): void {
  makeFolder(join(runs, FOLDER))
  writeJson(join(runs, FOLDER, `${name}.json`), document)
}

/** A document also where no test was replayed: then it says just that. Kept as `.heddle/findings.json`. */
export function gatherDocuments({ runs, root, command, summary, version, settings }: Gathering): CheckDocument {
  const documents = takeDocuments(runs, root)
  return keepMerged(mergedDocument({ runs, root, command, summary, version, settings, documents, alsoFound: [] }), root)
}

/** Compared with the last one, and in its place. */
export function keepMerged(document: CheckDocument, root: string): CheckDocument {
  const store = Store.open(root)
  const compared = since(document, lastDocument(store))
  store.keepDocument(documentJson(compared))
  return compared
}

/** Those of a run, which go: in watch mode the next run has its own. */
export function takeDocuments(runs: string, root: string): CheckDocument[] {
  const documents = documentsIn(join(runs, FOLDER))
  rmSync(join(runs, FOLDER), { recursive: true, force: true })
  return documents.map((one) => ({ ...one, findings: one.findings.map((finding) => withShortFile(finding, root)) }))
}

/** Those of several tests as one. `alsoFound`: findings that are kept, though the documents they come from are not counted. */
export function mergedDocument(merging: Merging): CheckDocument {
  const { runs, root, command, summary, version, settings, documents, alsoFound } = merging
  const all = [nothingYet(runs, root, version, settings), ...documents]
  const [first] = all as [CheckDocument]
  const sum = (of: (one: CheckDocument) => number): number => all.reduce((so, one) => so + of(one), 0)
  const skipped = new Map(all.flatMap((one) => one.recorded.skipped).map((one) => [one.file, one]))
  return {
    ...first,
    complete: all.every((one) => one.complete),
    command,
    started: (documents.length > 0 ? documents : all).map((one) => one.started).sort()[0]!,
    findings: onePerFingerprint([...all.flatMap((one) => one.findings), ...alsoFound]),
    recorded: {
      ...first.recorded,
      trace: runs,
      milliseconds: sum((one) => one.recorded.milliseconds),
      events: sum((one) => one.recorded.events),
      modules: Math.max(...all.map((one) => one.recorded.modules)),
      skipped: [...skipped.values()],
    },
    coverage: addedUp(all.map((one) => one.coverage)),
    replays: sum((one) => one.replays),
    notReplayed: sum((one) => one.notReplayed),
    plain: { runs: sum((one) => one.plain.runs), failed: sum((one) => one.plain.failed), apart: sum((one) => one.plain.apart ?? 0) },
    varies: all.flatMap((one) => one.varies),
    notes: [...new Set([...all.flatMap((one) => one.notes), ...summary.notes, ...summary.wrong])],
    seconds: Math.round(sum((one) => one.seconds) * 1000) / 1000,
    sources: sourcesOf(all),
    lookedAt: summaryLines(summary)[0]!.replace(/^Heddle: /, ''),
  }
}

export interface Gathering {
  readonly runs: string
  readonly root: string
  readonly command: readonly string[]
  readonly summary: TestSummary
  /** Of Heddle. */
  readonly version: string
  readonly settings: Pick<TestSettings, 'time' | 'replays' | 'maxFindings' | 'confirm' | 'timers'>
}

export interface Merging extends Gathering {
  readonly documents: readonly CheckDocument[]
  readonly alsoFound: readonly FindingDocument[]
}

function nothingYet(
  runs: string,
  root: string,
  version: string,
  { timers, time, replays, maxFindings, confirm }: Gathering['settings'],
): CheckDocument {
  return {
    heddle: version,
    schema: DOCUMENT_SCHEMA,
    complete: true,
    command: [],
    root,
    started: new Date().toISOString(),
    findings: [],
    recorded: {
      trace: runs,
      runtime: `node ${process.version}`,
      milliseconds: 0,
      stopped: false,
      events: 0,
      modules: 0,
      skipped: [],
      timers,
    },
    coverage: [],
    replays: 0,
    notReplayed: 0,
    budgets: { time, replays, maxFindings, confirm },
    plain: { runs: 0, failed: 0 },
    varies: [],
    notes: [],
    seconds: 0,
    sources: {},
    lookedAt: '',
  }
}

function documentsIn(folder: string): CheckDocument[] {
  try {
    return readdirSync(folder)
      .sort()
      .flatMap((name) => orNothing(() => readDocument(join(folder, name))) ?? [])
  } catch {
    return []
  }
}

/** Two tests may show the same: one that failed is enough. */
function onePerFingerprint(findings: readonly FindingDocument[]): FindingDocument[] {
  const best = new Map<string, FindingDocument>()
  for (const finding of findings) {
    const known = best.get(finding.fingerprint)
    if (known === undefined || (known.status !== 'FAILED' && finding.status === 'FAILED')) best.set(finding.fingerprint, finding)
  }
  return [...best.values()]
}

const withShortFile = (finding: FindingDocument, root: string): FindingDocument =>
  finding.test ? { ...finding, test: { ...finding.test, file: relative(root, finding.test.file) } } : finding

function sourcesOf(all: readonly CheckDocument[]): Record<string, readonly SourceExcerpt[]> {
  const lines = new Map<string, Map<number, string>>()
  for (const { sources } of all)
    for (const [file, excerpts] of Object.entries(sources)) {
      const known = lines.get(file) ?? new Map<number, string>()
      lines.set(file, known)
      for (const { from, lines: texts } of excerpts) for (const [i, text] of texts.entries()) known.set(from + i, text)
    }
  return Object.fromEntries([...lines].map(([file, known]) => [file, excerptsIn(known)]))
}

function excerptsIn(lines: ReadonlyMap<number, string>): SourceExcerpt[] {
  const excerpts: { from: number; lines: string[] }[] = []
  for (const [line, text] of [...lines].sort(([a], [b]) => a - b)) {
    const last = excerpts.at(-1)
    if (last && last.from + last.lines.length === line) last.lines.push(text)
    else excerpts.push({ from: line, lines: [text] })
  }
  return excerpts
}
