/** An order for a branch in whole steps, with as few thread switches as the checker accepts. */
import type { EventId } from '../../trace/trace.ts'
import { BRANCH } from '../../trace/ops.ts'
import type { Flip, PathChecker } from '../../witness/paths.ts'
import { noDemands } from '../propose/group.ts'
import { fewerLines } from '../threads/fewer-lines.ts'
import { wholeSteps } from '../threads/whole-steps.ts'
import type { Woven } from './thread-weave.ts'

export function inWholeSteps(
  { trace, stepOf }: Woven,
  checker: PathChecker,
  branch: EventId,
  order: Int32Array,
): { readonly order: Int32Array; readonly flip: Flip } | undefined {
  const units = unitsOf(trace.op, stepOf)
  const refusal = (tried: Int32Array): unknown => {
    const flip = checker.check(tried, branch)
    return 'rule' in flip ? flip : undefined
  }
  const whole = wholeSteps(trace, units, { check: (_, tried) => refusal(tried) }, { ...noDemands, next: [branch] }, order)
  if (!whole) return undefined
  const fewer = fewerLines(trace, whole.order, (tried) => refusal(tried) === undefined)
  const flip = checker.check(fewer, branch)
  return 'rule' in flip ? undefined : { order: fewer, flip }
}

/** A branch comes after its step, not with it. */
function unitsOf(op: Uint8Array, stepOf: Int32Array): Int32Array {
  const units = new Int32Array(stepOf.length)
  let unit = 0
  for (let e = 0; e < units.length; e++) {
    if (e > 0 && (op[e] === BRANCH || op[e - 1] === BRANCH || stepOf[e] !== stepOf[e - 1])) unit++
    units[e] = unit
  }
  return units
}
