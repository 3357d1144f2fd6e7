/** The stable form of a check, as JSON: docs/finding.schema.json. */
import type { Finding } from '../confirm/confirm.ts'
import type { Saved } from '../schedule/saved.ts'
import type { CheckDocument } from './document.ts'
import { safeJson } from './escape.ts'

/** Piece by piece, a finding a line: thousands of them with their pictures are more than one string should hold. */
export function* documentJson({ findings, ...rest }: CheckDocument): Generator<string> {
  const { heddle, schema, complete, command, root, started, ...after } = rest
  yield `${safeJson({ heddle, schema, complete, command, root, started }).slice(0, -1)},"findings":[`
  let comma = ''
  for (const finding of findings) {
    yield `${comma}\n${safeJson(finding)}`
    comma = ','
  }
  yield `\n],${safeJson(after).slice(1)}\n`
}

export function findingJson({
  prediction,
  status,
  replays,
  failure,
  violation,
  ordered,
  note,
  earlier,
  branchClass,
  picture,
}: Finding<Saved>) {
  const { kind, pattern, property, branch, test, summary, sites, locations, fingerprint, schedule, observed, failing, why, count } =
    prediction
  return {
    status,
    kind,
    pattern,
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
    earlier,
    count,
    schedule,
    observed,
    failing,
    why,
    ...(picture ? { picture } : {}),
  }
}
