/** `heddle merge`: combines the shards of a test run. */
import { writePieces } from '../base/json-file.ts'
import type { Arguments } from '../options/parse.ts'
import { printable } from '../report/escape.ts'
import { shortId } from '../report/finding-words.ts'
import { sentenceOf } from '../report/sentence.ts'
import { checkReports, writeReport } from '../report/write.ts'
import { countedIn, documentOfPart, mergeParts, missingShards, readPart } from '../runners/part.ts'
import { addSummaries } from '../runners/summaries.ts'
import { summaryLines } from '../runners/summary-text.ts'
import { FAILED } from './complain.ts'
import type { Io } from './output.ts'

export async function mergeCommand(args: Arguments, io: Io): Promise<number> {
  const to = args.list('to')
  const reports = to.filter((path) => !isPart(path))
  checkReports(reports)
  const parts = args.several('PART').map(readPart)
  const merged = mergeParts(parts)
  const entries = countedIn(merged)
  const summary = addSummaries(entries.map((entry) => entry.summary))
  const document = documentOfPart(merged, summary)
  for (const path of reports) writeReport(document, path)
  for (const path of to.filter(isPart)) writePieces(path, [`${JSON.stringify(merged)}\n`])
  const missing = missingShards(merged)
  const lines = [
    ...summaryLines(summary),
    ...document.findings
      .filter(({ status }) => status === 'FAILED')
      .map((finding) => `  FAILED ${shortId(finding.fingerprint)}  ${sentenceOf(finding)}`),
    ...(missing.length === 0 ? [] : [`Missing: ${missing.length === 1 ? 'shard' : 'shards'} ${missing.join(', ')} of ${merged.shards}.`]),
    ...(to.length === 0 ? [] : [`Wrote ${to.join(', ')}.`]),
  ]
  await io.out.write(lines.map((line) => `${printable(line)}\n`).join(''))
  if (missing.length > 0) return FAILED
  const failed = entries.some(({ exit }) => exit === 1) || document.findings.some(({ status }) => status === 'FAILED')
  return failed ? 1 : (entries.find(({ exit }) => exit !== 0)?.exit ?? 0)
}

const isPart = (path: string): boolean => path.toLowerCase().endsWith('.heddle')
