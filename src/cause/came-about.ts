/**
 * Did the failing run do the step that the prediction is about? The predicted order of the turns is not enough: the turn that came early may have
 * taken another path, or failed before the step. So the step itself is looked up in the failing run.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { FailedRun } from '../confirm/confirm.ts'
import { siteOf } from '../predict/loop/pattern.ts'
import { isOutside } from '../predict/loop/shape.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Saved } from '../schedule/saved.ts'
import { unitOf } from './loop-trials.ts'
import { isSamePlace, pairsOf } from './pairs.ts'

/** Of a loop. Lines of threads are carried out step by step: there the step itself was seen. */
export function cameAbout(
  { schedule, property, observed, failing }: Pick<Saved, 'schedule' | 'property' | 'observed' | 'failing'>,
  run: Pick<FailedRun, 'loop'> | undefined,
  violation: SeenViolation | undefined,
): boolean {
  if (schedule.kind !== 'delays') return true
  // A property is watched in every replay.
  if (property) return violation?.property === property.name
  const [pair] = pairsOf(observed, failing)
  if (!pair || !run?.loop) return true
  const row = failing.find(({ turn, offLoop }) => isSamePlace({ ...turn, offLoop }, pair.second))
  const view = new LoopView(run.loop)
  const access = row?.accesses[0]
  if (!access || !records(view, access.location)) return true
  const unit = unitOf(view, pair.second)
  if (unit === undefined) return false
  const { accesses } = view
  for (const a of accesses.of(unit))
    if (Boolean(accesses.write[a]) === (access.access === 'write') && siteOf(view, a) === access.site) return true
  return false
}

/** Files, ports, rows and keys are recorded in every run, memory only where it was asked for. */
function records({ trace, accesses }: LoopView, location: string): boolean {
  const isAlways = (name: string): boolean => /^(file|dir|port):|^clock$/.test(name) || isOutside(name)
  return isAlways(location) || [...new Set(accesses.location)].some((at) => !isAlways(trace.tables.locations.at(at)))
}
