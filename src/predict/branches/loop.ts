/**
 * Schedule-sensitive branches of an event loop (seed 002): for each site with a condition, an order of turns that flips it. A turn is a function from
 * inputs to writes under its conditions. So an order that the loop's decider found and its checker accepted is evaluated turn by turn
 * (symbolic/turns.ts): the branch is predicted if it is the first to take the other side. If an expression could not be followed, the result is
 * unknown: such orders are tried later, and the replay decides.
 */
import type { Doing } from '../../causal/loop/leads.ts'
import type { LoopRun } from '../../causal/loop/run.ts'
import type { LoopView } from '../../causal/loop/turns.ts'
import { NO_NODE, type Known } from '../../symbolic/expressions.ts'
import type { Paths } from '../../symbolic/paths.ts'
import { PathTurns, type Seen } from '../../symbolic/turns.ts'
import { NONE } from '../../trace/trace.ts'
import { LoopDecider, type Feasible, type LoopAnswer, type Wish } from '../loop/decide.ts'
import type { LoopOptions } from '../loop/prediction.ts'
import { keyOf } from '../../schedule/schedule.ts'
import { CoverageRow } from '../../coverage.ts'
import type { Prediction } from '../prediction.ts'
import { predictionOf } from './describe.ts'
import { Wishes, type RowOrder, type Sight } from './wishes.ts'

/** Of each place: recorded decisions that are looked at, and orders that are asked for. */
const MOST_INSTANCES = 24
const MOST_ORDERS = 30
const MOST_DOUBTS = 2
/** Turns that are to come later, because something in them would flip before. */
const MOST_LATER = 3

interface BranchPlace {
  readonly site: string
  readonly branches: number[]
}

export function* predictBranches(run: LoopRun, paths: Paths, options: LoopOptions): Generator<Prediction, void, undefined> {
  const row = options.coverage ?? new CoverageRow('branches')
  const places = placesOf(paths)
  row.propose(places.length)
  row.causes += places.length
  row.facts['conditions'] = places.reduce((sum, { branches }) => sum + branches.length, row.facts['conditions'] ?? 0)
  const looking = new Looking(run.view, paths, options, row)
  /** Given out when everything certain has been. */
  const doubts: Prediction[] = []
  let i = 0
  try {
    while (i < places.length && !(options.deadline !== undefined && performance.now() > options.deadline)) {
      const found = looking.at(places[i++]!)
      if (found.sure) yield found.sure
      else doubts.push(...found.doubts)
    }
  } finally {
    row.settle('notLookedAt', 'time', places.length - i)
  }
  yield* doubts
}

/** Decisions with a condition, by place; a few of each, from begin and end. */
function placesOf(paths: Paths): BranchPlace[] {
  const places = new Map<string, BranchPlace>()
  for (const row of paths.branches) {
    // Main runs before everything else; steps of threads are for threads.ts.
    if (paths.ofRow(row) === NO_NODE || paths.turnOf(row) <= 0) continue
    const site = `${paths.siteOf(row)} ${paths.kindOf(row)}`
    const place = places.get(site)
    if (!place) places.set(site, { site, branches: [row] })
    else if (place.branches.length < MOST_INSTANCES) place.branches.push(row)
    else place.branches[MOST_INSTANCES - 1] = row
  }
  return [...places.values()]
}

class Looking {
  private readonly decider: LoopDecider
  private readonly turns: PathTurns
  private readonly wishes: Wishes
  private readonly segments: ReadonlyMap<string, number>
  private readonly given = new Set<string>()

  constructor(
    private readonly view: LoopView,
    private readonly paths: Paths,
    private readonly options: LoopOptions,
    private readonly row: CoverageRow,
  ) {
    this.decider = new LoopDecider(view, options.timers)
    this.turns = new PathTurns(paths)
    this.wishes = new Wishes(paths)
    this.segments = lastEvents(view)
  }

  at(place: BranchPlace): { sure?: Prediction; doubts: Prediction[] } {
    const { row, paths } = this
    const doubts: Prediction[] = []
    const asked = new Set<string>()
    let open = false
    const guesses = place.branches.flatMap((branch) => this.wishes.of(branch).map((guess) => ({ branch, guess })))
    guesses.sort((a, b) => b.guess.points - a.guess.points)
    for (const { branch, guess } of guesses) {
      const orders = guess.orders.map((order) => this.wish(order))
      if (orders.some(([a, b]) => a.unit === b.unit)) continue
      const key = `${paths.turnOf(branch)} ${orders.map(([a, b]) => `${a.unit} ${b.unit}`).join(' ')}`
      if (asked.has(key)) continue
      if (asked.size === MOST_ORDERS) {
        open = true
        break
      }
      asked.add(key)
      /** Nobody can tell of this branch; or another one flips before it, and by the recorded values this one would. */
      let doubtful = false
      /** Orders that exist, evaluated. */
      let evaluated = 0
      let verdict: LoopAnswer['verdict'] | undefined
      // What flips before it, in another turn, is to come after it.
      const later: Wish[] = []
      for (let blocker: number = branch; later.length < MOST_LATER && blocker !== NONE;) {
        blocker = NONE
        const flips = this.decider.decide([...orders, ...later], ({ played }) => {
          const seen = this.turns.play(played.front, played.order)
          evaluated++
          if (seen.deviation && this.isAt(seen.deviation.row, place)) return true
          doubtful ||= seen.doubts.includes(branch) || (seen.deviation !== undefined && guess.points === 2)
          if (seen.deviation && paths.turnOf(seen.deviation.row) !== paths.turnOf(branch)) blocker = seen.deviation.row
          return false
        })
        verdict ??= flips.verdict
        if (flips.verdict === 'feasible') {
          row.settle('feasible', 'evaluated')
          const { deviation, seen } = this.turns.play(flips.played.front, flips.played.order)
          return { sure: this.prediction(deviation!.row, sightOf(seen, guess), flips, deviation!.outcome), doubts }
        }
        if (blocker !== NONE) later.push(this.wish({ first: branch, second: blocker }))
      }
      if (verdict === 'unknown' && evaluated === 0) open = true
      if (!doubtful || doubts.length === MOST_DOUBTS) continue
      const may = this.decider.decide(orders, ({ played }) => {
        const { deviation, doubts: open } = this.turns.play(played.front, played.order)
        return open.includes(branch) || deviation !== undefined
      })
      if (may.verdict !== 'feasible') continue
      const prediction = this.prediction(branch, guess, may, undefined)
      const schedule = keyOf(prediction.schedule)
      if (this.given.has(schedule)) continue
      this.given.add(schedule)
      doubts.push(prediction)
    }
    if (doubts.length > 0) row.settle('unknown', 'only a replay can tell')
    else if (open) row.settle('unknown', 'orders tried')
    else row.settle('infeasible', 'no order tried flips it')
    return { doubts }
  }

  private isAt(row: number, { site }: BranchPlace): boolean {
    return `${this.paths.siteOf(row)} ${this.paths.kindOf(row)}` === site
  }

  private prediction(branch: number, sight: Sight, answer: Feasible, outcome: Known | undefined): Prediction {
    const prediction = predictionOf(
      { view: this.view, paths: this.paths, decider: this.decider, options: this.options },
      branch,
      sight,
      answer,
      outcome,
    )
    this.given.add(keyOf(prediction.schedule))
    return prediction
  }

  private wish({ first, second }: RowOrder): Wish {
    return [this.doing(first), this.doing(second)]
  }

  private doing(row: number): Doing {
    const { paths, view } = this
    const unit = paths.turnOf(row)
    const chain = view.findOp(paths.chainOf(row))
    return { unit, chain, event: this.segments.get(`${unit} ${chain}`) ?? view.turnEvent[unit] ?? 0 }
  }
}

/** The input that sees another write; where several do, the first. */
function sightOf(seen: readonly Seen[], guess: Sight): Sight {
  const other = seen.find(({ recorded, now }) => recorded !== now)
  return other ? { input: other.row, saw: other.recorded, sees: other.now } : guess
}

/** By turn and chain: the last event of its last segment. */
function lastEvents(view: LoopView): Map<string, number> {
  const last = new Map<string, number>()
  const { segmentTurn, segmentChain, segmentEvent, trace } = view
  for (let s = 0; s < segmentTurn.length; s++) {
    const next = s + 1 < segmentTurn.length ? segmentEvent[s + 1]! : trace.eventCount
    last.set(`${segmentTurn[s]} ${segmentChain[s]}`, Math.max(segmentEvent[s]!, next - 1))
  }
  return last
}
