/** A prediction about a branch of an event loop, in words and as a schedule. */
import type { BranchNote, OrderAccess, OrderRow, SeenWrite } from '../../schedule/order.ts'
import type { LoopView } from '../../causal/loop/turns.ts'
import { UNKNOWN, type Known } from '../../symbolic/expressions.ts'
import type { Paths } from '../../symbolic/paths.ts'
import { isWrite } from '../../trace/ops.ts'
import { NONE } from '../../trace/trace.ts'
import { valueText } from '../../trace/values.ts'
import type { Feasible, LoopDecider } from '../loop/decide.ts'
import { rowOf, whyOf } from '../loop/describe.ts'
import { PlayedOrder, recordedUnits, type Placed } from '../loop/played-order.ts'
import { callersOf, scheduleOf } from '../loop/schedule.ts'
import type { LoopOptions } from '../loop/prediction.ts'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { lineOf, shapeOf } from '../loop/shape.ts'
import type { Prediction } from '../prediction.ts'
import type { Sight } from './wishes.ts'

interface Context {
  readonly view: LoopView
  readonly paths: Paths
  readonly decider: LoopDecider
  readonly options: Pick<LoopOptions, 'command' | 'timers'>
}

const MOST_SITES = 12
/** More likely to show something than a flip that nobody can tell anything about. */
const SURE_POINTS = 40
const DOUBTFUL_POINTS = 10

/** `outcome`: what the condition would be; undefined where only a replay can tell. */
export function predictionOf(context: Context, branch: number, sight: Sight, answer: Feasible, outcome: Known | undefined): Prediction {
  const { view, paths, decider, options } = context
  const [u, v] = answer.flip
  const note = noteOf(paths, branch, sight, outcome)
  const site = paths.siteOf(branch)
  const location = paths.trace.targetName(sight.input)
  const sites = [site, paths.siteOf(sight.input), note.saw?.site ?? '', note.sees?.site ?? '', ...callersOf(view, [u, v], answer)]
  const rows = [sight.input, sight.saw, sight.sees, branch].filter((row) => row !== NONE && paths.turnOf(row) > 0)
  const units = [...new Set(rows.map((row) => paths.turnOf(row)))]
  const witness = new PlayedOrder(view, answer.played)
  return {
    kind: 'branch',
    pattern: 'schedule-sensitive branch',
    branch: note,
    sites: [...new Set(sites.filter((s) => s !== ''))].slice(0, MOST_SITES),
    locations: [location],
    fingerprint: fingerprintOf(['branch', note.kind, lineOf(site), shapeOf(location)]),
    schedule: scheduleOf(view, decider, answer, [v, u], options),
    summary: summaryOf(note),
    observed: orderRows(context, recordedUnits(view, units), rows),
    failing: orderRows(
      context,
      witness.units(units, () => 1),
      rows,
    ),
    why: whyOf(view, u, v, answer, options.timers === 'latency'),
    count: 1,
    score: outcome === undefined ? DOUBTFUL_POINTS : SURE_POINTS,
  }
}

function noteOf(paths: Paths, branch: number, sight: Sight, outcome: Known | undefined): BranchNote {
  const kind = paths.kindOf(branch)
  return {
    kind,
    site: paths.siteOf(branch),
    task: paths.name,
    chain: paths.chainOf(branch),
    nth: paths.nthOf(branch),
    recorded: valueText(paths.outcomeOf(branch)),
    flipped: outcome === undefined || outcome === UNKNOWN ? '' : valueText(outcome),
    saw: writeOf(paths, sight.input, sight.saw),
    sees: writeOf(paths, sight.input, sight.sees),
  }
}

function writeOf(paths: Paths, input: number, row: number): SeenWrite {
  const location = paths.trace.targetName(input)
  if (row === NONE) return { location, value: '', site: '' }
  return { location, value: paths.trace.tables.values.textOf(paths.trace.value[row]!), site: paths.siteOf(row) }
}

/** "`if` at app.js:12 can go the other way: it saw ready = true, and can see ready = false." */
export function summaryOf({ kind, site, saw, sees }: BranchNote): string {
  const what = (seen: SeenWrite): string => {
    if (seen.site === '') return `${seen.location} as it was at the start`
    return seen.value === '' ? `${seen.location} as written at ${lineOf(seen.site)}` : `${seen.location} = ${seen.value}`
  }
  const where = lineOf(site)
  const decided = DATA.has(kind) ? `The ${kind} at ${where} can be another` : `The \`${kind}\` at ${where} can go the other way`
  return saw && sees ? `${decided}: it saw ${what(saw)}, and can see ${what(sees)}.` : `${decided}.`
}

const DATA = new Set(['receiver', 'callee', 'index'])

function orderRows({ view, paths }: Context, placed: readonly Placed[], rows: readonly number[]): OrderRow[] {
  return placed.map(({ unit, at }) => {
    const own = [...new Set(rows.filter((row) => paths.turnOf(row) === unit))].sort((a, b) => a - b)
    const chain = own.length === 0 ? (view.turnOp[unit] ?? NONE) : view.findOp(paths.chainOf(own[0]!))
    return rowOf(
      view,
      { unit, at, chain },
      own.map((row) => accessOf(paths, row)),
    )
  })
}

function accessOf(paths: Paths, row: number): OrderAccess {
  const { trace } = paths
  const text = trace.tables.values.textOf(trace.value[row]!)
  const value = text === '' ? {} : { value: text }
  if (paths.branches.includes(row)) return { access: 'branch', location: paths.kindOf(row), ...value, site: paths.siteOf(row) }
  return { access: isWrite(trace.op[row]!) ? 'write' : 'read', location: trace.targetName(row), ...value, site: paths.siteOf(row) }
}
