/**
 * A busy process or machine can pause between two readings of the clock. Proposed for each turn that reads the clock after an earlier turn did: the
 * program pauses right after the post of that turn, for less than it takes until a pending timer is due, then or later in the run. So no order
 * changes; only the time between the two readings grows, and what was fresh may have expired.
 */
import type { LoopView } from '../../causal/loop/turns.ts'
import { IO, isEffect, TIMER, type OpId, type TurnId } from '../../trace/loop.ts'
import type { Timers } from '../../schedule/schedule.ts'
import { NONE } from '../../trace/trace.ts'
import { LoopChecker } from '../../witness/loop/check.ts'
import { siteOf } from './pattern.ts'
import { Simulator, type Played } from './simulate.ts'

export interface Late {
  /** Accesses to the clock: the earlier look, and the one in the turn that comes late. */
  readonly before: number
  readonly after: number
  readonly turn: TurnId
  readonly op: OpId
  readonly ms: number
  readonly played: Played
}

/** Nobody is surprised when everything has expired after that long. */
const MOST_MS = 10_000
const LEAST_MS = 20
/** Of the time a time-out has left. */
const SAFE = 0.8
/** Pairs of sites proposed, and looked at: each look goes over all operations. */
const MOST = 50
const MOST_TRIED = 1000

export function* lateTurns(view: LoopView, timers: Timers): Generator<Late, void, undefined> {
  const clock = view.trace.tables.locations.find('clock')
  if (clock < 0) return
  const { accesses } = view
  const simulator = new Simulator(view, timers)
  const checker = new LoopChecker(view, timers)
  let tried = 0
  const seen = new Set<string>()
  const looks: number[] = []
  for (let a = accesses.locationStart[clock]!; a < accesses.locationStart[clock + 1]!; a++) {
    const turn = accesses.unit[a]!
    if (isEffect(turn)) continue
    const before = looks.findLast((b) => accesses.unit[b]! < turn)
    looks.push(a)
    if (before === undefined || turn === 0 || seen.size >= MOST) continue
    const op = view.turnOp[turn]!
    const posted = view.turnParent[turn]!
    // The earlier look has to be over when the program stands still.
    if (op === NONE || view.turnNth[turn] !== 1 || posted < accesses.unit[before]! || view.opPostTurn[op] !== posted) continue
    // A handle is posted long before what it delivers.
    if (view.turnKind[turn] === IO && view.queueOf(op).includes(' ')) continue
    const key = `${siteOf(view, before)} ${siteOf(view, a)}`
    if (seen.has(key) || tried++ > MOST_TRIED) continue
    const ms = room(view, posted, op)
    if (ms < LEAST_MS || ms <= view.opDelay[op]!) continue
    const played = simulator.play({ holds: [], stalls: [{ op, ms }] }, turn, turn)
    if (!played.reached || checker.check(played)) continue
    seen.add(key)
    yield { before, after: a, turn, op, ms, played }
  }
}

/**
 * How long the program may stand still after posting `op` without a timer that was pending coming earlier than it did, as the replay's clock
 * counts: it moves only for timers. One that never fired may not fire in the rest of the run either: it is a time-out, most of the time.
 */
function room(view: LoopView, posted: TurnId, op: OpId): number {
  const time = virtualTimes(view)
  const end = time[view.turnCount - 1]!
  let least = MOST_MS
  for (let other = 0; other < view.opCount; other++) {
    if (other === op || view.opKind[other] !== TIMER || view.opPostTurn[other]! > posted) continue
    const answered = view.opTurn[other]!
    if (answered !== NONE && answered <= posted && !view.opRepeats[other]) continue
    const due = time[view.opPostTurn[other]!]! + view.opDelay[other]!
    const left = answered === NONE ? SAFE * (due - end) : due - 1 - time[posted]!
    least = Math.min(least, Math.max(0, left))
  }
  return Math.floor(least)
}

function virtualTimes(view: LoopView): Float64Array {
  const time = new Float64Array(view.turnCount)
  for (let t = 1; t < time.length; t++) {
    const due = view.turnKind[t] === TIMER ? time[view.turnParent[t]!]! + view.opDelay[view.turnOp[t]!]! : 0
    time[t] = Math.max(time[t - 1]!, due)
  }
  return time
}
