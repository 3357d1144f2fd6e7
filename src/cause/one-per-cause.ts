/**
 * Failures with one cause are one finding: a program may crash in different ways because of the same two lines. The first failure stands for all; the
 * others are listed with it. Only findings that name a cause are compared; failures of which only the delay is known stay separate. If the lines
 * differ from run to run, the id is that of the cause, not of the line that came first this time.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Finding } from '../confirm/confirm.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { Saved } from '../schedule/saved.ts'
import { NOT_ISOLATED } from './find.ts'

export function onePerCause(findings: readonly Finding<Saved>[]): Finding<Saved>[] {
  const found: Finding<Saved>[] = []
  const places = new Map<string, number>()
  for (const finding of findings) {
    const key = causeIn(finding)
    const at = key === undefined ? undefined : places.get(key)
    if (at === undefined) {
      if (key !== undefined) places.set(key, found.length)
      found.push(withIdOfCause(finding))
      continue
    }
    const { also = [], ...one } = finding
    const first = found[at]!
    found[at] = { ...first, also: [...(first.also ?? []), one, ...also] }
  }
  return found
}

function withIdOfCause(finding: Finding<Saved>): Finding<Saved> {
  const ended = finding.status === 'FAILED' && finding.cause ? endedIn(finding) : undefined
  return ended === undefined ? finding : { ...finding, prediction: { ...finding.prediction, fingerprint: fingerprintOf([ended]) } }
}

/** The conflict that a finding names, whatever its kind is called: where it is, and its lines. */
function causeIn(finding: Finding<Saved>): string | undefined {
  const { status, cause, prediction } = finding
  const { kind, locations, sites, observed, test } = prediction
  if (status !== 'FAILED' || !cause || kind === NOT_ISOLATED || locations.length === 0 || observed.length === 0) return undefined
  const ended = endedIn(finding)
  if (ended !== undefined) return ended
  const lines = new Set(
    observed.flatMap(({ accesses }) => accesses.slice(0, 1).map(({ site }) => lineOf(site))).filter((line) => line !== ''),
  )
  if (lines.size === 0) for (const site of sites.slice(0, 2)) lines.add(lineOf(site))
  return JSON.stringify([objectIn(prediction), [...lines].sort(), test ? [test.file, test.name] : []])
}

/**
 * An object that is freed, closed or destroyed while threads still use it: nothing makes that wait for these threads. Which of their uses comes too late differs from run to run; the
 * cause is the same for all threads that are made at one place.
 */
function endedIn({ violation, prediction }: Finding<Saved>): string | undefined {
  const { kind, pattern, failing, test } = prediction
  const [ends, uses] = failing
  if (kind !== 'typestate' || !ends || !uses || failing.length !== 2 || violation?.rule !== pattern) return undefined
  const line = lineOf(ends.accesses[0]?.site ?? '')
  if (line === '' || line !== lineOf(violation.events[0]?.stack[0] ?? '')) return undefined
  return JSON.stringify([pattern, objectIn(prediction), line, lineOf(uses.posted), test ? [test.file, test.name] : []])
}

/** Without the number of the object, and of a cell of a block the block. */
const objectIn = ({ locations }: Saved): string => locations[0]!.replaceAll(/#\d+/g, '#').replace(/\+\d+$/, '')
