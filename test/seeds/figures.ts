/** Traces in the text notation with a site on every event of interest, asked about by those sites. */
import { predict, type PredictOptions, type Predictions } from '../../src/predict/predict.ts'
import { parseText } from '../../src/trace/text.ts'
import { validate } from '../../src/trace/validate.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import { Checker } from '../../src/witness/check.ts'
import { totalsOf } from '../adds-up.ts'

export function figure(text: string): Trace {
  return validate(parseText(text))
}

/** The event at a site that only one event has. */
export function at(trace: Trace, site: string): EventId {
  const events = Array.from({ length: trace.eventCount }, (_, e) => e).filter((e) => trace.siteName(e) === site)
  if (events.length !== 1) throw new Error(`${events.length} events at ${site}`)
  return events[0]!
}

export const sitesOf = (trace: Trace, { predictions }: Predictions): string[] =>
  predictions.map(({ candidate }) => `${candidate.pattern} ${candidate.events.map((e) => trace.siteName(e)).join(' ')}`).sort()

/** Every feasible candidate, by pattern and sites, each with a witness that a checker of our own accepts. */
export async function predicted(trace: Trace, options: PredictOptions): Promise<string[]> {
  const found = await predict(trace, { ungrouped: true, ...options })
  const checker = new Checker(trace, found.model)
  for (const { candidate, witness } of found.predictions) {
    const refusal = checker.check(candidate, witness.order)
    if (refusal) throw new Error(refusal.sentence)
  }
  const { unknown } = totalsOf(found.coverage)
  if (unknown > 0) throw new Error(`${unknown} unknown`)
  return sitesOf(trace, found)
}
