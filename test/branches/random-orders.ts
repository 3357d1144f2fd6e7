/**
 * Every order of the turns of a small program, tried under the replayer: a run is forced to begin in a certain order and left alone then; wherever something else could
 * have come next in it, another run is forced to begin that way. What a run flips is what `flipsOf` says. For programs whose turns answer
 * timers (with `--timers latency`) and I/O; immediates and the like keep their places.
 */
import { LoopView } from '../../src/causal/loop/turns.ts'
import { IO, STUB, TIMER, type OpId, type TurnId } from '../../src/trace/loop.ts'
import type { Flip } from '../../src/confirm/branches.ts'
import { replay, type ReplayRun, type Rerun } from '../../src/confirm/run.ts'
import { SCHEDULE_VERSION, type Hold, type Schedule, type UnitName } from '../../src/schedule/schedule.ts'
import { NONE } from '../../src/trace/trace.ts'

export interface Explored {
  /** Replays, and those that did not begin as they were told to. */
  readonly runs: number
  readonly missed: number
  readonly failed: number
  readonly flips: readonly Flip[]
  /** Were all orders tried? */
  readonly whole: boolean
}

/** The run begins with these turns after `main`; `others` were posted by then and wait. */
interface Begin {
  readonly turns: readonly UnitName[]
  readonly others: readonly UnitName[]
}

const keyOf = ({ label, nth }: UnitName): string => `${label} ${nth}`
const NOBODY: UnitName = { label: '', nth: 0 }
const LONG = 1_000_000

/** `most`: replays. Two at a time. */
export async function exploreOrders(rerun: Rerun, most: number): Promise<Explored> {
  const todo: Begin[] = [{ turns: [], others: [] }]
  const flips = new Map<string, Flip>()
  let runs = 0
  let missed = 0
  let failed = 0
  let busy = 0
  const lane = async (): Promise<void> => {
    for (;;) {
      const begin = runs < most ? todo.pop() : undefined
      if (!begin) {
        if (busy === 0 || runs >= most) return
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      runs++
      busy++
      const run = await replay(rerun, scheduleFor(rerun, begin))
      busy--
      const view = run.loop && new LoopView(run.loop)
      if (!view || !beginsWith(view, begin)) {
        missed++
        continue
      }
      if (isFailed(run)) failed++
      for (const flip of run.flips) flips.set(`${flip.site} ${flip.kind}`, flip)
      todo.push(...alternatives(view, begin))
    }
  }
  await Promise.all([lane(), lane()])
  return { runs, missed, failed, flips: [...flips.values()], whole: todo.length === 0 }
}

const isFailed = ({ exit, stopped }: ReplayRun): boolean => exit.code !== 0 || stopped !== undefined

/** Each turn waits for the one before it, everybody else for the last. */
function scheduleFor({ recording }: Rerun, { turns, others }: Begin): Schedule {
  const holds: Hold[] = []
  const hold = (what: UnitName, until: UnitName): void => void holds.push({ do: 'hold', what, at: 'finish', until, note: '' })
  for (let i = 1; i < turns.length; i++) hold(turns[i]!, turns[i - 1]!)
  for (const other of others) hold(other, turns.at(-1)!)
  const { command, timers } = recording
  // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
  const expect = { first: NOBODY, then: NOBODY }
  return { heddle: SCHEDULE_VERSION, command, timers, kind: 'delays', delays: holds, horizon: LONG, expect }
}

const nameOf = (view: LoopView, turn: TurnId): UnitName => ({ label: view.labelOf(turn), nth: view.turnNth[turn]! })

const beginsWith = (view: LoopView, { turns }: Begin): boolean =>
  turns.every((turn, i) => i + 1 < view.turnCount && keyOf(nameOf(view, i + 1)) === keyOf(turn))

/** Other turns that could have come where this run was not forced. */
function alternatives(view: LoopView, { turns }: Begin): Begin[] {
  const found: Begin[] = []
  for (let at = turns.length + 1; at < view.turnCount; at++) {
    const before = Array.from({ length: at - 1 }, (_, i) => nameOf(view, i + 1))
    const pending = pendingAt(view, at)
    for (const turn of pending) {
      if (turn === at) continue
      const others = pending.filter((other) => other !== turn).map((other) => nameOf(view, other))
      // Those before did not wait for each other in vain: whoever was pending then is among the turns, or still pending.
      found.push({ turns: [...before, nameOf(view, turn)], others })
    }
  }
  return found
}

/** Turns from `at` on that answer what was posted before, and that a replay can hold. */
function pendingAt(view: LoopView, at: TurnId): TurnId[] {
  const pending: TurnId[] = []
  for (let turn = at; turn < view.turnCount; turn++) {
    const op: OpId = view.turnOp[turn]!
    const kind = view.turnKind[turn]
    if (op === NONE || view.turnParent[turn]! >= at) continue
    if (kind === TIMER || kind === IO || kind === STUB) pending.push(turn)
  }
  return pending
}
