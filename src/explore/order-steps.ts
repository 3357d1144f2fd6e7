/** From an order of events to the lines of a schedule: whole steps, with as few thread switches as possible. */
import { Steps } from '../predict/threads/steps.ts'
import type { ThreadStep } from '../schedule/schedule.ts'
import type { Joined } from '../trace/joined.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import type { Demands } from '../witness/candidate.ts'
import { simplify } from '../witness/simplify.ts'
import type { Asked } from './class.ts'

/** The order in whole steps; undefined where the checker says that it is none then. Steps that have only begun are left out: what they read nobody has seen yet. */
export function inSteps({ bound, checker }: Asked, demands: Demands, found: Int32Array): Int32Array | undefined {
  const { trace, stepOf } = bound
  // What is to come next begins with its step: a lock inside a block of memory is used before it is taken.
  const asked = { ...demands, next: demands.next.map((e) => bound.beginOfStep(e)) }
  for (const order of [simplify(trace, found, demands.before), found]) {
    const end = trace.taskStart.slice(0, -1)
    for (const e of order) end[trace.taskOf(e)] = e + 1
    for (let t = 0; t < trace.taskCount; t++) {
      const last = end[t]!
      if (last > trace.taskStart[t]! && last < trace.taskStart[t + 1]! && stepOf[last] === stepOf[last - 1])
        end[t] = bound.beginOfStep(last)
    }
    const whole: EventId[] = []
    for (const e of order) {
      const t = trace.taskOf(e)
      if (e >= end[t]! || e !== bound.endOfStep(e)) continue
      for (let k = bound.beginOfStep(e); k <= e; k++) whole.push(k)
    }
    const steps = Int32Array.from(whole)
    if (checker.check(asked, steps) === undefined) return steps
  }
  return undefined
}

/** Lines of the order, and then the step of `next`, if there is one. */
export function linesOf({ bound }: Asked, { trace, steps, vocabulary }: Joined, order: Int32Array, next: EventId): ThreadStep[] {
  // What a step is may be told by what comes after it.
  const [recorded, standing] = [new Steps(trace, steps.stepOf, vocabulary), new Steps(bound.trace, bound.stepOf, vocabulary)]
  const lines: ThreadStep[] = []
  const line = (e: EventId): void => {
    const t = bound.trace.taskOf(e)
    const task = trace.taskName(t)
    const upTo = bound.stepOf[e]!
    const isStanding = bound.standing[t] !== NONE && e >= bound.standing[t]!
    const words = bound.standing[t] === NONE ? recorded : standing
    const does = isStanding ? '' : words.text(t, upTo)
    const site = does === '' ? '' : words.site(t, upTo)
    if (lines.at(-1)?.task === task) lines.pop()
    lines.push({ task, upTo, does, site, note: `${task} goes on up to its step ${upTo}${does === '' ? '' : `: ${does}`}` })
  }
  for (let i = 0; i < order.length; i++) {
    const ends = i + 1 === order.length || bound.trace.taskOf(order[i + 1]!) !== bound.trace.taskOf(order[i]!)
    if (ends) line(order[i]!)
  }
  if (next !== NONE) line(next)
  return lines
}
