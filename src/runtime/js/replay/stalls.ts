/**
 * The program pauses for a while right after a post. The clock jumps, and timers that are due by then run in the next timers phase: the jump sets the
 * real timers that stand for them at once and blocks until they are due. So nothing can come in between that a real pause at this point would not let
 * in.
 */
import * as core from '../core.ts'
import type { Delay } from '../../../schedule/schedule.ts'
import { moveTo, tick } from './clock.ts'
import { note } from './notes.ts'

const planned = new Map<string, { step: number; ms: number }[]>()
/** Those whose post is under way. A timer is set only after the hook has told of it, so it calls `carryOut` itself. */
const ready: { step: number; ms: number }[] = []

export function planStalls(delays: readonly Delay[]): void {
  for (const [step, instruction] of delays.entries()) {
    if (instruction.do !== 'stall') continue
    const list = planned.get(instruction.after) ?? []
    list.push({ step, ms: instruction.ms })
    planned.set(instruction.after, list)
  }
}

export function stallPosted(op: core.Op): void {
  if (planned.size === 0) return
  const label = core.labelOf(op)
  const stalls = planned.get(label)
  if (stalls === undefined) return
  planned.delete(label)
  ready.push(...stalls)
  if (op.kind !== 'timer') carryOut()
}

/** `set`: when the timer that was posted counts as set; the guide may know that it was later than the clock says. */
export function carryOut(set = 0): void {
  for (let stall = ready.shift(); stall !== undefined; stall = ready.shift()) {
    note({ step: stall.step, did: 'stalled' })
    moveTo(Math.max(tick(), set) + stall.ms)
  }
}
