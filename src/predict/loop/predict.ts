/**
 * Propose, decide, check for one recorded run of an event loop: predictions in the order in which they are worth replaying. Causes are decided
 * lazily, best guess first; a decided cause is returned once no undecided one can rank above it.
 */
import type { Doing } from '../../causal/loop/leads.ts'
import type { LoopView } from '../../causal/loop/turns.ts'
import { keyOf, SCHEDULE_VERSION } from '../../schedule/schedule.ts'
import { placed } from '../../trace/site.ts'
import { NONE } from '../../trace/trace.ts'
import { LoopDecider, type Feasible } from './decide.ts'
import { locationOf, steps, summaryOf, whyOf } from './describe.ts'
import { patternOf, siteOf } from './pattern.ts'
import { lateTurns, type Late } from './late.ts'
import { CoverageRow } from '../../coverage.ts'
import type { LoopOptions, LoopPrediction } from './prediction.ts'
import { PlayedOrder, recordedUnits } from './played-order.ts'
import { Proposals, type Cause, type Pair } from './propose.ts'
import { callersOf, MARGIN, scheduleOf } from './schedule.ts'
import { guess, score } from './rank.ts'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { lineOf, shapeOf, shownLocation } from './shape.ts'

export * from './prediction.ts'

/** Pairs of one cause that are decided before giving up on it. */
const TRIES = 3
const UNCERTAIN = 10
const MOST_LOCATIONS = 6
const MOST_SITES = 12

/** Lazily: the next prediction is decided when it is asked for. Counts go to `options.coverage`. */
export function* predictLoop(view: LoopView, options: LoopOptions): Generator<LoopPrediction, void, undefined> {
  const row = options.coverage ?? new CoverageRow('turns')
  const proposals = new Proposals(view)
  Object.assign(row.facts, {
    turns: view.turnCount,
    operations: view.opCount,
    accesses: view.accesses.recorded,
    locations: view.trace.tables.locations.size,
  })
  row.causes += proposals.causes.length
  row.ruledOut('must-order', proposals.ordered)
  for (const [location, rules] of proposals.protected)
    for (const [rule, count] of rules) row.protect(shownLocation(view.trace.tables.locations.at(location)), rule, count)
  row.propose(proposals.pairs)
  const decider = new LoopDecider(view, options.timers)
  const ranked = proposals.causes
    .map((cause) => ({ cause, points: Math.max(...cause.pairs.slice(0, TRIES).map((p) => score(view, cause, p, guess(view, p)))) }))
    .sort((a, b) => b.points - a.points || a.cause.pairs[0]!.u - b.cause.pairs[0]!.u)

  const waiting: LoopPrediction[] = []
  const schedules = new Set<string>()
  const fingerprints = new Set<string>()
  let given = 0
  const limit = options.limit ?? Infinity

  const giveOut = function* (floor: number): Generator<LoopPrediction, void, undefined> {
    waiting.sort((a, b) => b.score - a.score)
    while (waiting.length > 0 && waiting[0]!.score >= floor && given < limit) {
      const next = waiting.shift()!
      given++
      yield next
    }
  }

  for (const late of lateTurns(view, options.timers)) {
    row.causes++
    row.propose()
    row.settle('feasible', 'late')
    waiting.push(latePrediction(view, decider, late, options))
  }
  let i = 0
  const isLate = (): boolean => options.deadline !== undefined && performance.now() > options.deadline
  try {
    for (; i < ranked.length; i++) {
      const { cause, points } = ranked[i]!
      yield* giveOut(points)
      if (given >= limit || isLate()) break
      const found = decideCause(view, decider, cause, options, row)
      if (!found) continue
      const schedule = keyOf(found.schedule)
      const isKnown = schedules.has(schedule) || fingerprints.has(found.fingerprint)
      row.settle(isKnown ? 'grouped' : 'feasible', 'played')
      if (isKnown) continue
      schedules.add(schedule)
      fingerprints.add(found.fingerprint)
      waiting.push(found)
    }
  } finally {
    for (const { cause } of ranked.slice(i)) row.settle('notLookedAt', isLate() ? 'time' : 'limit', cause.count)
  }
  yield* giveOut(-Infinity)
}

/** The first of its pairs that can be turned round. All of them are counted, but that one. */
function decideCause(
  view: LoopView,
  decider: LoopDecider,
  cause: Cause,
  options: LoopOptions,
  row: CoverageRow,
): LoopPrediction | undefined {
  const { unit, chain, event } = view.accesses
  const doing = (a: number): Doing => ({ unit: unit[a]!, chain: chain[a]!, event: event[a]! })
  let left = cause.count
  for (const pair of cause.pairs.slice(0, TRIES)) {
    const answer = decider.decide([[doing(pair.v), doing(pair.u)]])
    left--
    if (answer.verdict === 'feasible') {
      row.settle('grouped', '', left)
      return predictionOf(view, decider, cause, pair, answer, options)
    }
    row.settle(answer.verdict, answer.verdict === 'infeasible' ? answer.rule : 'orders tried')
  }
  row.settle('notLookedAt', 'tries', left)
  return undefined
}

function predictionOf(
  view: LoopView,
  decider: LoopDecider,
  cause: Cause,
  pair: Pair,
  answer: Feasible,
  options: LoopOptions,
): LoopPrediction {
  const { accesses } = view
  const u = accesses.unit[pair.u]!
  const v = accesses.unit[pair.v]!
  const { played } = answer
  const witness = new PlayedOrder(view, played)
  const shape = patternOf(view, pair.u, pair.v, (unit) => witness.placeOf(unit) < witness.placeOf(v))
  const third = shape.third === NONE ? undefined : shape.third
  const shown = third === undefined ? [pair.u, pair.v] : [pair.u, pair.v, third]
  const locations = sharedLocations(view, pair)
  const accessSites = shown.map((a) => siteOf(view, a))
  const sites = [...new Set([...accessSites, ...callersOf(view, [u, v], answer)].filter((s) => s !== ''))].slice(0, MOST_SITES)

  const units = [...new Set(shown.map((a) => accesses.unit[a]!))]
  return {
    kind: shape.kind,
    pattern: shape.pattern,
    sites,
    locations,
    fingerprint: fingerprintOf([
      shape.kind,
      shape.pattern,
      lineOf(siteOf(view, pair.u)),
      lineOf(siteOf(view, pair.v)),
      shapeOf(locations[0]!),
    ]),
    schedule: scheduleOf(view, decider, answer, [v, u], options),
    witness: { front: played.front, order: played.order, times: played.times, uncertain: answer.uncertain },
    summary: summaryOf(locations[0]!, shape),
    observed: steps(view, recordedUnits(view, units), locations, shown),
    // What is not in the witness comes after it: u before what its flow goes on to do.
    failing: steps(
      view,
      witness.units(units, (unit) => (unit === u ? 1 : 2)),
      locations,
      shown,
    ),
    why: whyOf(view, u, v, answer, options.timers === 'latency'),
    count: cause.count,
    score: score(view, cause, pair, shape) - (answer.uncertain ? UNCERTAIN : 0),
  }
}

/** More likely to show something than a flip in the program's own code, less than a check and an act that can be parted. */
const LATE_POINTS = 18

function latePrediction(view: LoopView, decider: LoopDecider, late: Late, options: LoopOptions): LoopPrediction {
  const { accesses } = view
  const { before, after, turn, op, ms, played } = late
  const sites = [...new Set([siteOf(view, before), siteOf(view, after), ...view.postedAt(op).split(' < ')])].filter((s) => s !== '')
  const order = [accesses.unit[before]!, turn]
  const name = decider.turnName(turn)
  return {
    kind: 'order-violation',
    pattern: 'expiry',
    sites: sites.slice(0, MOST_SITES),
    locations: ['clock'],
    fingerprint: fingerprintOf(['order-violation', 'expiry', lineOf(siteOf(view, before)), lineOf(siteOf(view, after)), 'clock']),
    schedule: {
      heddle: SCHEDULE_VERSION,
      command: options.command,
      timers: options.timers,
      kind: 'delays',
      delays: [{ do: 'stall', after: view.opLabel[op]!, ms, note: decider.note(turn) }],
      horizon: Math.ceil(played.times.at(-1)! * 1.1) + ms + MARGIN,
      // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
      expect: { first: name, then: name },
    },
    witness: { front: played.front, order: played.order, times: played.times, uncertain: false },
    summary: `Time can pass between two readings of the clock${placed(siteOf(view, before))} and${placed(siteOf(view, after))}: what was fresh at the first has expired at the second.`,
    observed: steps(
      view,
      order.map((unit) => ({ unit, at: view.turnTime[unit]! })),
      ['clock'],
      [before, after],
    ),
    failing: steps(
      view,
      order.map((unit) => ({ unit, at: view.turnTime[unit]! + (unit === turn ? ms : 0) })),
      ['clock'],
      [before, after],
    ),
    why: [`${ms} ms can pass after ${decider.note(turn)}: a busy process or machine is enough. No other timer becomes due meanwhile.`],
    count: 1,
    score: LATE_POINTS + (sites[1]?.includes('node_modules/') ? LATE_POINTS : 0),
  }
}

/** Where the two units conflict: the pair's own location first. */
function sharedLocations(view: LoopView, pair: Pair): string[] {
  const { accesses } = view
  const first = locationOf(view, pair.u)
  const touched = new Map<number, number>()
  for (const a of accesses.of(accesses.unit[pair.u]!))
    touched.set(accesses.location[a]!, (touched.get(accesses.location[a]!) ?? 0) | accesses.write[a]!)
  const found = new Set([first])
  for (const b of accesses.of(accesses.unit[pair.v]!)) {
    const wrote = touched.get(accesses.location[b]!)
    if (wrote === undefined || !(wrote || accesses.write[b])) continue
    found.add(locationOf(view, b))
    if (found.size === MOST_LOCATIONS) break
  }
  return [...found]
}
