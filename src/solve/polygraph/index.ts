/**
 * Decides a polygraph along the flow of Wang & Hoang's Figure 5: forced choices, then an attempt at a schedule, then look-ahead. Where the paper
 * says "feasible" because look-ahead found no cycle (Theorem 3, which does not hold), we try for a schedule again and otherwise say
 * unknown: feasible is said only with an order in hand.
 */
import { lookAhead, type Budget } from './lookahead.ts'
import { linearise, ranksOf } from './order.ts'
import { checkOrder, type Polygraph } from './polygraph.ts'
import { chainsOf } from './chains.ts'
import { MAX_CELLS } from './reach.ts'
import { reconstruct } from './reconstruct.ts'
import { Resolution, type Step } from './resolve.ts'

export { checkOrder, parsePolygraph, type Polygraph, type PolygraphFault, type Side } from './polygraph.ts'
export type { Step } from './resolve.ts'

/** Which part of Figure 5 gave the answer. */
export type Stage = 'resolve' | 'reconstruct' | 'look-ahead'

export type PolygraphAnswer =
  | { feasible: true; unknown?: never; stage: Stage; order: Int32Array }
  | {
      feasible: false
      unknown?: never
      stage: Stage
      /** Each node before the next and the last before the first: by program order, an edge, a step below or a choice under `over`. */
      cycle: number[]
      /** The choices that were forced, in order: why the edges of the cycle hold. */
      steps: Step[]
      /** Not empty: every way to resolve these polyedges, and what they then force, closes a cycle, and `cycle` is one of them. */
      over: readonly number[]
    }
  | { unknown: true; feasible?: never; stage: Stage; remaining: number; outOfBudget: boolean }

export interface PolygraphOptions {
  /** How many polyedges look-ahead resolves at once; 0 for none. Default: the number of chains. */
  depth?: number
  /** Whether the rules see paths of several edges (section 4.1). Default true. */
  transitive?: boolean
  /** Whether look-ahead applies the rules within each branch. Default false, as in the paper. */
  propagate?: boolean
  /** How many branches look-ahead may evaluate. */
  budget?: number
  /** An order of all nodes to stay close to, such as that of the recorded run. */
  prefer?: Int32Array | undefined
}

const DEFAULT_BUDGET = 200_000

export function decidePolygraph(polygraph: Polygraph, options: PolygraphOptions = {}): PolygraphAnswer {
  const chains = chainsOf(polygraph)
  if ('node' in chains) throw new Error(`not a polygraph: ${chains.fault}`)
  if (polygraph.n * chains.count > MAX_CELLS) {
    return { unknown: true, stage: 'resolve', remaining: polygraph.poly.length, outOfBudget: true }
  }
  const resolution = new Resolution(polygraph, options.transitive ?? true)
  if (!resolution.settle()) return infeasible(resolution, 'resolve')
  const prefer =
    options.prefer ??
    linearise(
      resolution.reach,
      Int32Array.from({ length: polygraph.n }, (_, i) => i),
    )
  if (resolution.remaining === 0) return feasible(resolution, 'resolve', prefer)

  const rank = ranksOf(prefer)
  const { hints } = polygraph
  const attempt = (strengthen?: () => boolean): boolean =>
    reconstruct(resolution, { hints, rank, strengthen }) || (hints !== undefined && reconstruct(resolution, { rank, strengthen }))
  if (attempt()) return feasible(resolution, 'reconstruct', prefer)

  const depth = options.depth ?? chains.count
  if (depth === 0) return { unknown: true, stage: 'reconstruct', remaining: resolution.remaining, outOfBudget: false }
  const budget: Budget = { left: options.budget ?? DEFAULT_BUDGET }
  // Deeper step by step, with an attempt at each depth, so that a deep look that runs out of budget costs no answer a shallow one gives.
  for (let reached = 1; reached <= depth && budget.left > 0; reached++) {
    const how = { depth: reached, propagate: options.propagate ?? false }
    const before = resolution.steps.length
    const end = lookAhead(resolution, { ...how, budget })
    if (end === 'cycle') return infeasible(resolution, 'look-ahead')
    const foundSome = resolution.steps.length > before
    const share: Budget = { left: budget.left >>> 1 }
    budget.left -= share.left
    const strengthen = (): boolean => lookAhead(resolution, { ...how, budget: share }) !== 'cycle'
    if ((foundSome && attempt()) || (end === 'fixpoint' && attempt(strengthen))) return feasible(resolution, 'look-ahead', prefer)
    budget.left += share.left
  }
  return { unknown: true, stage: 'look-ahead', remaining: resolution.remaining, outOfBudget: budget.left <= 0 }
}

function feasible(resolution: Resolution, stage: Stage, prefer: Int32Array): PolygraphAnswer {
  const order = linearise(resolution.reach, prefer)
  const broken = checkOrder(resolution.polygraph, order)
  if (broken) throw new Error(`the polygraph solver built a wrong order: ${broken}`)
  return { feasible: true, stage, order }
}

function infeasible(resolution: Resolution, stage: Stage): PolygraphAnswer {
  return { feasible: false, stage, cycle: resolution.cycle!, steps: resolution.steps, over: resolution.exhausted }
}
