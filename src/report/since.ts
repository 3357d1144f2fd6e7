/** What is new, known or fixed since the last check of the same command. Only failures count as fixed: other findings come and go with the budget. */
import type { CheckDocument, FindingDocument } from './document.ts'
import { lineIn } from './excerpt-line.ts'
import { sentenceOf } from './sentence.ts'

const MOST_FIXED = 100
/** It still fails, whether that counts or not. */
const STILL = new Set(['FAILED', 'IGNORED', 'NEEDS DELAY'])

export function since(document: CheckDocument, last: CheckDocument | undefined): CheckDocument {
  if (!last || last.trace || JSON.stringify(last.command) !== JSON.stringify(document.command)) return document
  const known = new Set(last.findings.flatMap(idsOf))
  const failing = new Set(document.findings.filter(({ status }) => STILL.has(status)).flatMap(idsOf))
  // An interrupted check has not tried everything.
  const gone = document.complete ? last.findings.filter((f) => isFailed(f) && !idsOf(f).some((id) => failing.has(id))) : []
  const line = lineIn(last)
  return {
    ...document,
    since: {
      started: last.started,
      fixed: gone.slice(0, MOST_FIXED).map((f) => ({ fingerprint: f.fingerprint, label: f.label, sentence: sentenceOf(f, line) })),
    },
    findings: document.findings.map((f) => ({ ...f, since: idsOf(f).some((id) => known.has(id)) ? 'known' : 'new' })),
  }
}

const isFailed = ({ status }: FindingDocument): boolean => status === 'FAILED'
const idsOf = ({ fingerprint, also = [] }: FindingDocument): string[] => [fingerprint, ...also.map((other) => other.fingerprint)]
