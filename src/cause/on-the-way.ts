/**
 * A failing run of a loop violates a property that holds in the recorded run. The violation is on the way to the failure and names it better than the
 * delay that led there. It is not a conflict that can be tested by experiment, so a proved conflict comes before it.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Declaration } from '../property/ast.ts'
import { format } from '../property/format.ts'
import type { SeenViolation } from '../property/seen.ts'
import { plainValue } from '../property/words.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { Saved } from '../schedule/saved.ts'

/** `prediction`: what the schedule was made for, maybe this property, but in another order than the one seen. */
export function onTheWay(prediction: Saved, seen: SeenViolation | undefined, properties: readonly Declaration[]): Saved | undefined {
  const declaration = properties.find(({ name }) => name === seen?.property)
  if (!seen || !declaration || prediction.schedule.kind !== 'delays') return undefined
  const { property: name, kind, confirm, binding, says, events } = seen
  const first = events.flatMap(({ stack }) => stack.slice(0, 1))
  return {
    ...prediction,
    kind,
    pattern: name,
    property: { name, confirm, binding, text: format({ declarations: [declaration] }) },
    fingerprint: fingerprintOf([kind, name, ...events.map((e) => `${e.name} ${lineOf(e.stack[0] ?? '')}`)]),
    summary: says,
    sites: [...new Set([...first, ...events.flatMap(({ stack }) => stack)])],
    locations: Object.values(binding).map(plainValue),
    observed: [],
    failing: [],
    why: [],
  }
}
