/**
 * Forced choices, to a fixpoint: Wang & Hoang's Rules 1 (section 3.3) and 2 (section 5). A polyedge (a→b | c→d) becomes a→b when c→d would
 * close a cycle, that is, when d is already before c; and the other way round. In the paper's words acq1 = d, rel1 = a, acq2 = b, rel2 = c,
 * and the path from d to c runs over s→t. Any path counts (the transitive orders of section 4.1), which makes the two rules one.
 * A polyedge one of whose edges already holds is done with: the paper does not need this, because its two edges exclude each other.
 *
 * With `transitive: false` the path has one edge s→t only. Rule 2 then also starts it after R1 (= a) when W1→R1 (= d→a) is an edge, and
 * ends it before W2 (= b) when W2→R2 (= b→c) is one, as in Figure 6.
 */
import { chainsOf, type Chains } from './chains.ts'
import type { Polygraph, Side } from './polygraph.ts'
import { Reach, type ReachMark } from './reach.ts'

const OPEN = 0
const HELD = 3

/** A polyedge that became an edge. Without `over`, by the rules; else because every way to resolve the polyedges in `over` implies it. */
export interface Step {
  poly: number
  side: Side
  over: readonly number[]
}

export interface ResolutionMark {
  reach: ReachMark
  direct: ReachMark | undefined
  done: number
  steps: number
}

export class Resolution {
  readonly reach: Reach
  readonly chains: Chains
  /** What was chosen so far, in order. */
  readonly steps: Step[] = []
  /** Set when the edges contradict each other: nodes, each before the one after it and the last before the first. */
  cycle: number[] | undefined
  /** With a cycle: the polyedges all ways of which were tried, if it took that. */
  exhausted: readonly number[] = []
  private readonly direct: Reach | undefined
  private readonly state: Uint8Array
  /** Polyedges no longer open, in the order in which they ceased to be. */
  private readonly done: number[] = []
  private readonly pairs = new Set<number>()

  constructor(
    readonly polygraph: Polygraph,
    transitive = true,
  ) {
    const chains = chainsOf(polygraph)
    if ('node' in chains) throw new Error(`not a polygraph: ${chains.fault}`)
    this.chains = chains
    this.reach = new Reach(chains)
    this.direct = transitive ? undefined : new Reach(chains, false)
    this.state = new Uint8Array(polygraph.poly.length)
    // Early edges first: a later one then walks back only to where an earlier one has already been.
    const hard = polygraph.hard.toSorted(([, a], [, b]) => chains.place[a]! - chains.place[b]!)
    for (const [a, b] of hard) {
      if (!transitive) this.pairs.add(a * polygraph.n + b)
      if (!this.cycle) this.insert(a, b)
    }
  }

  get remaining(): number {
    return this.state.length - this.done.length
  }

  isOpen(poly: number): boolean {
    return this.state[poly] === OPEN
  }

  /** The polyedges still to be resolved. */
  open(): number[] {
    const open: number[] = []
    for (let i = 0; i < this.state.length; i++) if (this.state[i] === OPEN) open.push(i)
    return open
  }

  edge(poly: number, side: Side): [number, number] {
    const [a, b, c, d] = this.polygraph.poly[poly]!
    return side === 1 ? [a, b] : [c, d]
  }

  /** Resolves an open polyedge to one of its edges; false when that closes a cycle. */
  choose(poly: number, side: Side, over: readonly number[] = []): boolean {
    this.close(poly, side)
    this.steps.push({ poly, side, over })
    return this.insert(...this.edge(poly, side))
  }

  /** Applies the rules until nothing is forced any more; false on a cycle. */
  settle(): boolean {
    if (this.cycle) return false
    for (let changed = true; changed;) {
      changed = false
      for (let i = 0; i < this.state.length; i++) {
        if (this.state[i] !== OPEN) continue
        const side = this.forcedSide(i)
        if (side === OPEN) continue
        if (side === HELD) {
          this.close(i, HELD)
          continue
        }
        if (!this.choose(i, side)) return false
        changed = true
      }
    }
    return true
  }

  mark(): ResolutionMark {
    return { reach: this.reach.mark(), direct: this.direct?.mark(), done: this.done.length, steps: this.steps.length }
  }

  /** Back to a state that had no cycle. */
  undo(mark: ResolutionMark): void {
    this.reach.undo(mark.reach)
    if (mark.direct) this.direct!.undo(mark.direct)
    while (this.done.length > mark.done) this.state[this.done.pop()!] = OPEN
    this.steps.length = mark.steps
    this.cycle = undefined
    this.exhausted = []
  }

  private close(poly: number, state: Side | typeof HELD): void {
    this.state[poly] = state
    this.done.push(poly)
  }

  private insert(a: number, b: number): boolean {
    if (!this.reach.add(a, b)) {
      this.cycle = this.reach.path(b, a)
      return false
    }
    this.direct?.add(a, b)
    return true
  }

  private forcedSide(poly: number): typeof OPEN | Side | typeof HELD {
    const [a, b, c, d] = this.polygraph.poly[poly]!
    const rule = this.direct ?? this.reach
    // Of a = b nothing holds: an edge from a node to itself is a cycle.
    if ((a !== b && rule.reaches(a, b)) || (c !== d && rule.reaches(c, d))) return HELD
    if (rule.reaches(d, c) || this.pairReaches(d, a, b, c)) return 1
    if (rule.reaches(b, a) || this.pairReaches(b, c, d, a)) return 2
    return OPEN
  }

  /** Figure 6: W1→R1 before an edge that ends before R2, or before W2→R2. */
  private pairReaches(w1: number, r1: number, w2: number, r2: number): boolean {
    if (!this.direct) return false
    const { n } = this.polygraph
    return (this.pairs.has(w1 * n + r1) && this.direct.reaches(r1, r2)) || (this.pairs.has(w2 * n + r2) && this.direct.reaches(w1, w2))
  }
}
