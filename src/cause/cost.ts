/**
 * The least that has to be added to a plain run for it to fail: milliseconds added to an operation, or a thread that pauses between two lines. Less
 * is not enough: an operation is delayed only until what it has to come after has run.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { Cost } from '../confirm/cause.ts'
import type { FailedRun } from '../confirm/confirm.ts'
import type { Rerun } from '../confirm/run.ts'
import type { OrderRow } from '../schedule/order.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Delay, UnitName } from '../schedule/schedule.ts'
import { shortSite } from '../trace/site.ts'
import { NONE } from '../trace/trace.ts'
import { departuresIn } from './departures.ts'
import { pairsOf } from './pairs.ts'

export function costOf(prediction: Saved, { run: recorded }: Pick<Rerun, 'run'>, failed: FailedRun): Cost | undefined {
  const { schedule } = prediction
  if (schedule.kind === 'delays')
    return recorded?.loop && failed.loop ? ofDelays(new LoopView(recorded.loop), new LoopView(failed.loop), schedule.delays) : undefined
  const isExplored = prediction.departures !== undefined
  const departures = isExplored && recorded?.threads && failed.threads ? departuresIn(recorded.threads, failed.threads) : []
  return departures.length > 1 ? { needs: departures.join(', then ') } : ofSwitches(prediction)
}

function ofDelays(recorded: LoopView, failing: LoopView, delays: readonly Delay[]): Cost | undefined {
  const parts = delays.map((delay) => {
    const ms = delay.do === 'stall' ? delay.ms : delay.do === 'hold' ? lateBy(recorded, failing, delay.what) : undefined
    return { ms, what: delay.note.split(', posted at ')[0]!, at: delay.note.split(', posted at ')[1], delay }
  })
  if (parts.length === 0) return undefined
  const texts = parts.map(({ ms, what, at, delay }) => {
    const where = at === undefined ? '' : ` (${shortSite(at)})`
    if (delay.do === 'stall') return `the process to pause for ${inMs(ms!)} after ${what}${where}`
    const late = ms === undefined || ms < 1 ? 'a little' : inMs(ms)
    return delay.do === 'hold' && delay.at === 'finish'
      ? `the answer of ${what}${where} ${late} late`
      : `${what}${where} to begin ${late} late`
  })
  // Of one that the failing run or the recorded one does not have nothing is known: then it is at least what the others need.
  const isKnown = parts.some(({ ms }) => ms !== undefined)
  const ms = parts.reduce((sum, part) => sum + (part.ms ?? 0), 0)
  return { needs: texts.join(', and '), ...(isKnown ? { ms: Math.round(ms * 100) / 100 } : {}) }
}

/** How much longer it took than in the recorded run. One that did not come at all was late by the rest of the run. */
function lateBy(recorded: LoopView, failing: LoopView, { label, nth }: UnitName): number | undefined {
  const took = (view: LoopView): number | undefined => {
    const op = view.findOp(label)
    if (op === NONE) return undefined
    let turn = view.opTurn[op]!
    while (turn !== NONE && turn < view.turnCount && (view.turnOp[turn] !== op || view.turnNth[turn] !== nth)) turn++
    const end = turn === NONE || turn >= view.turnCount ? view.turnTime[view.turnCount - 1]! : view.turnTime[turn]!
    return end - view.turnTime[Math.max(0, view.opPostTurn[op]!)]!
  }
  const [before, after] = [took(recorded), took(failing)]
  return before === undefined || after === undefined ? undefined : Math.max(0, after - before)
}

/** Where a thread has to lose its turn: before its row that another one gets in front of, after its row before that. */
function ofSwitches({ observed, failing }: Saved): Cost | undefined {
  const [pair] = pairsOf(observed, failing)
  if (!pair) return undefined
  const row = (rows: readonly OrderRow[], { label, nth }: UnitName): number =>
    rows.findIndex((r) => r.turn.label === label && r.turn.nth === nth)
  const [late, early] = [observed[row(observed, pair.first)]!, observed[row(observed, pair.second)]!]
  const at = row(failing, pair.first)
  const before = failing.slice(0, at < 0 ? failing.length : at).findLast((r) => r.chain === late.chain)
  const lineOf = (r: OrderRow): string => shortSite(r.accesses[0]?.site ?? '')
  if (before && before.accesses[0]?.site !== undefined && lineOf(before) !== '')
    return {
      needs: `${late.name} to be delayed between ${lineOf(before)} and ${lineOf(late)}, until ${early.name} has passed ${lineOf(early)}`,
    }
  return { needs: `${late.name} to be delayed before ${lineOf(late)}, until ${early.name} has passed ${lineOf(early)}` }
}

export const inMs = (ms: number): string =>
  ms >= 10_000 ? `${Math.round(ms / 1000)} s` : ms >= 1 ? `${Math.round(ms)} ms` : 'less than 1 ms'
