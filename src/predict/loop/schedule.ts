/** From an answer of the loop's decider to a schedule: its instructions, how far the clock may go, and the order that makes the finding. */
import type { LoopView } from '../../causal/loop/turns.ts'
import type { Unit } from '../../trace/loop.ts'
import { SCHEDULE_VERSION, type DelaySchedule } from '../../schedule/schedule.ts'
import { NONE } from '../../trace/trace.ts'
import type { Feasible, LoopDecider } from './decide.ts'
import type { LoopOptions } from './prediction.ts'

/** The replay's clock may go this much further than the witness, in ms. */
export const MARGIN = 5

/** `order`: the first is to run before the second. */
export function scheduleOf(
  view: LoopView,
  decider: LoopDecider,
  answer: Feasible,
  [first, second]: readonly [Unit, Unit],
  { command, timers }: Pick<LoopOptions, 'command' | 'timers'>,
): DelaySchedule {
  return {
    heddle: SCHEDULE_VERSION,
    command,
    timers,
    kind: 'delays',
    delays: answer.instructions,
    horizon: horizonOf(answer),
    // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
    expect: { first: nameOf(view, decider, first), then: nameOf(view, decider, second) },
  }
}

/** While something is held the clock does not go further, in ms. */
const horizonOf = (answer: Feasible): number => Math.ceil(answer.at * 1.1) + MARGIN

/** Where the two units and what is held were posted: the code that relies on their order may be there and not at the accesses. */
export function callersOf(view: LoopView, units: readonly Unit[], answer: Feasible): string[] {
  const held = answer.instructions.map((i) => view.findOp(i.do === 'hold' ? i.what.label : i.after))
  const posted = units.map((unit) => (unit < 0 ? -1 - unit : view.turnOp[unit]!))
  return [...held, ...posted].flatMap((op) => (op === NONE ? [] : view.postedAt(op).split(' < ')))
}

function nameOf(view: LoopView, decider: LoopDecider, unit: Unit): { label: string; nth: number } {
  const turn = view.turnOf(unit)
  return turn === NONE ? { label: view.opLabel[-1 - unit]!, nth: 1 } : decider.turnName(turn)
}
