/** The stable form of a check, as JSON: docs/finding.schema.json. */
import type { CheckResult } from '../check.ts'
import type { Finding } from '../replay/confirm.ts'
import type { Saved } from '../replay/saved.ts'
import { safeJson } from './escape.ts'

const SCHEMA = 1

export function* checkJson(result: CheckResult, version: string): Generator<string> {
  const { recording, determinism, coverage, properties, threads, branches, replays, notes, seconds, interrupted } = result
  const { report } = recording
  yield `{"heddle":${safeJson(version)},"schema":${SCHEMA},"complete":${!interrupted},"command":${safeJson(recording.command)},"findings":[`
  let comma = ''
  for (const finding of result.findings) {
    yield `${comma}\n${safeJson(findingJson(finding))}`
    comma = ','
  }
  const recorded = {
    trace: recording.trace,
    node: report.node,
    milliseconds: recording.ms,
    stopped: recording.stopped,
    events: report.events,
    modules: report.modules.length,
    skipped: report.skipped,
    timers: recording.timers,
  }
  const looked = {
    ...coverage,
    ...(threads ? { threads } : {}),
    ...(properties ? { properties } : {}),
    ...(branches ? { branches } : {}),
    replays,
    notReplayed: result.findings.filter((f) => f.status === 'PREDICTED').length,
  }
  yield `\n],"recorded":${safeJson(recorded)},"coverage":${safeJson(looked)},`
  yield `"varies":${safeJson(determinism.differed)},"notes":${safeJson(notes)},"seconds":${Math.round(seconds * 1000) / 1000}}\n`
}

export function findingJson({ prediction, status, replays, failure, violation, ordered, note, earlier, branchClass }: Finding<Saved>) {
  const { kind, pattern, property, branch, summary, sites, locations, fingerprint, schedule, observed, failing, why, count } = prediction
  return {
    status,
    kind,
    pattern,
    ...(property ? { property } : {}),
    ...(branch ? { branch: { ...branch, ...branchClass } } : {}),
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
  }
}
