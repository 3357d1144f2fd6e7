/** The stable form of a check, as JSON: docs/finding.schema.json. */
import type { Cause } from '../confirm/cause.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Saved } from '../schedule/saved.ts'
import type { CheckDocument, FindingDocument, OtherDocument } from './document.ts'
import { safeJson } from './escape.ts'
import { labelFor } from './labelled.ts'

/** A document whose findings are made one at a time. */
export type InPieces = Omit<CheckDocument, 'findings'> & { readonly findings: Iterable<FindingDocument> }

/** Piece by piece, a finding a line: thousands of them with their pictures are more than one string should hold. */
export function* documentJson({ findings, ...rest }: InPieces): Generator<string> {
  const { heddle, schema, complete, command, root, started, ...after } = rest
  yield `${safeJson({ heddle, schema, complete, command, root, started }).slice(0, -1)},"findings":[`
  let comma = ''
  for (const finding of findings) {
    yield `${comma}\n${safeJson(finding)}`
    comma = ','
  }
  yield `\n],${safeJson(after).slice(1)}\n`
}

export function findingJson(finding: Finding<Saved>): FindingDocument {
  const { prediction, status, replays, failure, violation, ordered, note, earlier, branchClass, picture, cause, also = [] } = finding
  const { kind, pattern, property, branch, test, summary, sites, locations, fingerprint, schedule, observed, failing, why, count } =
    prediction
  return {
    status,
    kind,
    pattern,
    label: labelFor(kind, pattern),
    ...(property ? { property } : {}),
    ...(branch ? { branch: { ...branch, ...branchClass } } : {}),
    ...(test ? { test: { file: test.file, name: test.name } } : {}),
    summary,
    sites,
    locations,
    fingerprint,
    replays,
    ...(failure ? { failure, ordered } : {}),
    ...(violation ? { violation } : {}),
    ...(note === undefined ? {} : { note }),
    ...(cause ? { proof: proofOf(cause) } : {}),
    earlier,
    count,
    ...(also.length === 0 ? {} : { also: also.map(otherJson) }),
    schedule,
    observed,
    failing,
    why,
    ...(picture ? { picture } : {}),
  }
}

const proofOf = ({ proof, asRecorded, alone, other, shrunk, cost }: Cause): NonNullable<FindingDocument['proof']> => ({
  is: proof,
  asRecorded,
  alone,
  ...(other === undefined ? {} : { other }),
  shrunk,
  ...(cost ? { needs: cost.needs, ...(cost.ms === undefined ? {} : { ms: cost.ms }) } : {}),
})

/** Another order that fails in the same way. What else there is to know of it, `heddle show` says by its fingerprint. */
function otherJson({ prediction, branchClass }: Finding<Saved>): OtherDocument {
  const { fingerprint, kind, pattern, summary, sites, locations, branch } = prediction
  return {
    fingerprint,
    kind,
    pattern,
    label: labelFor(kind, pattern),
    summary,
    sites,
    locations,
    ...(branch ? { branch: { ...branch, ...branchClass } } : {}),
  }
}
