/**
 * The strengthened rules of Wang & Hoang's section 4.3: a polyedge (a→b | c→d) becomes a→b when, for some k other polyedges, all 2^k
 * ways to resolve them put d before c. A way that closes a cycle by itself is no way and does not count. Two readings:
 *
 * - as the paper has it (`propagate: false`): only the edges of the k polyedges are added. In other words: c→d together with any resolution of
 *   the k closes a cycle. The paper walks all sets of k polyedges; we look only for those in which each one can help to close a
 *   cycle that is still missing, which loses nothing (see `helpers`).
 * - `propagate: true`, stronger and ours: after each added edge the rules run to a fixpoint, and every polyedge whose edge then holds in all
 *   ways is resolved. With one polyedge this is the failed-literal probing of SAT solvers.
 *
 * Neither is complete: Theorem 3 does not hold. See docs/seeds/004-polygraphs.md.
 */
import type { Side } from './polygraph.ts'
import type { Resolution } from './resolve.ts'

export interface LookAhead {
  /** At most this many polyedges at once: k. */
  depth: number
  propagate: boolean
  budget: Budget
}

/** Ways (branches) that may still be evaluated. */
export interface Budget {
  left: number
}

/** `fixpoint`: nothing more is forced, or nothing is open; `cycle`: infeasible, see `resolution.cycle`; `budget`: gave up on the way. */
export type LookAheadEnd = 'fixpoint' | 'cycle' | 'budget'

/** Above this many open polyedges the tables below would not fit; counts as out of budget. */
const MAX_OPEN = 8192

/** 2^30 ways are beyond any budget, and `isCircle` has a bit for each. */
const MAX_DEPTH = 30

/** Small sets first; whatever is found goes through the rules before the next look. */
export function lookAhead(resolution: Resolution, how: LookAhead): LookAheadEnd {
  if (resolution.remaining > MAX_OPEN) return 'budget'
  const bounded = { ...how, depth: Math.min(how.depth, MAX_DEPTH) }
  return how.propagate ? lookWithRules(resolution, bounded) : lookAlongPaths(resolution, bounded)
}

// ---- as the paper has it ----

function lookAlongPaths(resolution: Resolution, { depth, budget }: LookAhead): LookAheadEnd {
  for (let size = 1; size <= depth && resolution.remaining > 0;) {
    if (budget.left <= 0) return 'budget'
    const found = new Options(resolution, budget).findForced(size)
    if (found) {
      if (!resolution.choose(found.poly, found.side, found.over) || !resolution.settle()) return 'cycle'
      size = 1
    } else size++
  }
  return budget.left <= 0 ? 'budget' : 'fixpoint'
}

/**
 * The edges of the open polyedges, two each: option 2i and 2i+1 are those of the i-th. Two bit tables say which option can follow which:
 * `after[x]` holds y when the head of x is before the tail of y. Within them a way is a list of options, and it is impossible when they
 * form a circle.
 */
class Options {
  private readonly open: number[]
  private readonly words: number
  private readonly after: Uint32Array
  private readonly ahead: Uint32Array
  private readonly seen = new Set<string>()

  constructor(
    resolution: Resolution,
    private readonly budget: Budget,
  ) {
    this.open = resolution.open()
    const count = this.open.length * 2
    const words = (this.words = (count + 31) >>> 5)
    this.after = new Uint32Array(count * words)
    this.ahead = new Uint32Array(count * words)
    const edges = this.open.flatMap((poly) => [resolution.edge(poly, 1), resolution.edge(poly, 2)])
    for (let x = 0; x < count; x++) {
      const head = edges[x]![1]
      for (let y = 0; y < count; y++) {
        if (!resolution.reach.reaches(head, edges[y]![0])) continue
        this.after[x * words + (y >>> 5)]! |= 1 << (y & 31)
        this.ahead[y * words + (x >>> 5)]! |= 1 << (x & 31)
      }
    }
  }

  /** The first polyedge that one of the sets of at most `size` others forces. */
  findForced(size: number): { poly: number; side: Side; over: number[] } | undefined {
    for (let x = 0; x < this.open.length * 2 && this.budget.left > 0; x++) {
      this.seen.clear()
      this.budget.left--
      const over = this.isCircle([], x) ? [] : this.refute([[x]], [x >>> 1], size)
      if (over) return { poly: this.open[x >>> 1]!, side: x & 1 ? 1 : 2, over: over.map((i) => this.open[i]!) }
    }
    return undefined
  }

  /** Polyedges, at most `left` of them and none in `used`, under which every one of `ways` becomes impossible. */
  private refute(ways: number[][], used: number[], left: number): number[] | undefined {
    for (const i of this.helpers(ways[0]!, left)) {
      if (used.includes(i) || this.budget.left <= 0) continue
      const usedNow = [...used, i]
      const key = usedNow.toSorted((a, b) => a - b).join()
      if (usedNow.length > 2 && this.seen.has(key)) continue
      this.seen.add(key)
      const rest = this.extend(ways, i, left > 1)
      if (rest === undefined) continue
      if (rest.length === 0) return usedNow.slice(1)
      const found = this.refute(rest, usedNow, left - 1)
      if (found) return found
    }
    return undefined
  }

  /** The possible ways after resolving polyedge i both ways in each; undefined as soon as there is one and none is wanted. */
  private extend(ways: number[][], i: number, mayRemain: boolean): number[][] | undefined {
    const rest: number[][] = []
    for (const way of ways) {
      for (const option of [2 * i, 2 * i + 1]) {
        this.budget.left--
        if (this.isCircle(way, option)) continue
        if (!mayRemain) return undefined
        rest.push([...way, option])
      }
    }
    return rest
  }

  /** Is there a circle through `option` over options of `way`? */
  private isCircle(way: readonly number[], option: number): boolean {
    const stack = [option]
    let visited = 0
    while (stack.length > 0) {
      const x = stack.pop()!
      if (this.follows(x, option)) return true
      for (let j = 0; j < way.length; j++) {
        if (visited & (1 << j) || !this.follows(x, way[j]!)) continue
        visited |= 1 << j
        stack.push(way[j]!)
      }
    }
    return false
  }

  private follows(x: number, y: number): boolean {
    return (this.after[x * this.words + (y >>> 5)]! & (1 << (y & 31))) !== 0
  }

  /**
   * Polyedges with an option that can be the first new one on a circle with options of `way` and at most `left` new ones. If a set of
   * `left` more refutes the way, one of these is in it: each way to resolve the set closes a circle, and were all those circles of new
   * options alone, the set would be impossible by itself, which a smaller set shows when one of its own is the target.
   */
  private helpers(way: readonly number[], left: number): number[] {
    const start = this.union(this.after, way)
    const goal = this.union(this.ahead, way)
    // Options from which the way is reached over at most `left` - 1 more.
    let fresh = goal.slice()
    for (let i = 1; i < left; i++) {
      const wider = this.union(this.ahead, this.members(fresh))
      let news = 0
      for (let w = 0; w < wider.length; w++) {
        fresh[w] = wider[w]! & ~goal[w]!
        goal[w]! |= wider[w]!
        news |= fresh[w]!
      }
      if (news === 0) break
    }
    for (let w = 0; w < start.length; w++) start[w]! &= goal[w]!
    return [...new Set(this.members(start).map((option) => option >>> 1))]
  }

  private union(table: Uint32Array, options: readonly number[]): Uint32Array {
    const all = new Uint32Array(this.words)
    for (const x of options) for (let w = 0, row = x * this.words; w < this.words; w++) all[w]! |= table[row + w]!
    return all
  }

  private members(bits: Uint32Array): number[] {
    const list: number[] = []
    for (let w = 0; w < bits.length; w++) {
      for (let word = bits[w]!; word !== 0; word &= word - 1) list.push(w * 32 + 31 - Math.clz32(word & -word))
    }
    return list
  }
}

// ---- with the rules inside each way ----

function lookWithRules(resolution: Resolution, { depth, budget }: LookAhead): LookAheadEnd {
  for (let size = 1; size <= depth && resolution.remaining > 0;) {
    let news = false
    for (const set of combinations(resolution.open(), size)) {
      if (budget.left <= 0) return 'budget'
      if (!set.every((poly) => resolution.isOpen(poly))) continue
      const steps = resolution.steps.length
      const ways = new Ways(resolution, set, budget)
      if (ways.unfinished) return 'budget'
      if (!ways.adopt()) return 'cycle'
      if (resolution.steps.length === steps) continue
      news = true
      if (size > 1) break
    }
    size = news ? 1 : size + 1
  }
  return 'fixpoint'
}

/** All ways to resolve a set of polyedges, and what they have in common. */
class Ways {
  /** Per polyedge: 1 when its first edge holds in all ways so far, 2 when its second does, 3 both. */
  private readonly common: Map<number, number>
  /** The budget ran out before all ways were seen. */
  unfinished = false
  private possible = 0
  private cycle: number[] | undefined

  constructor(
    private readonly resolution: Resolution,
    private readonly set: readonly number[],
    private readonly budget: Budget,
  ) {
    this.common = new Map(resolution.open().map((poly) => [poly, 3]))
    this.walk(0)
  }

  /** Takes over the edges that hold in all ways; false when there is no way, or the edges close a cycle. */
  adopt(): boolean {
    const { resolution } = this
    if (this.possible === 0) {
      resolution.cycle = this.cycle
      resolution.exhausted = this.set
      return false
    }
    for (const [poly, sides] of this.common) {
      if (resolution.isOpen(poly) && !resolution.choose(poly, sides & 1 ? 1 : 2, this.set)) return false
    }
    return this.common.size === 0 || resolution.settle()
  }

  private walk(depth: number): void {
    if (this.possible > 0 && this.common.size === 0) return
    const poly = this.set[depth]
    if (poly === undefined) return this.meet()
    if (!this.resolution.isOpen(poly)) return this.walk(depth + 1)
    for (const side of [1, 2] as const) {
      if (this.budget.left-- <= 0) {
        this.unfinished = true
        return
      }
      const before = this.resolution.mark()
      if (this.resolution.choose(poly, side) && this.resolution.settle()) this.walk(depth + 1)
      else this.cycle = this.resolution.cycle
      this.resolution.undo(before)
    }
  }

  private meet(): void {
    this.possible++
    for (const [poly, sides] of this.common) {
      const [a, b, c, d] = this.resolution.polygraph.poly[poly]!
      const holds = (a !== b && this.resolution.reach.reaches(a, b) ? 1 : 0) | (c !== d && this.resolution.reach.reaches(c, d) ? 2 : 0)
      if ((sides & holds) === 0) this.common.delete(poly)
      else this.common.set(poly, sides & holds)
    }
  }
}

function* combinations(items: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) return yield []
  for (let i = from; i + size <= items.length; i++) {
    for (const rest of combinations(items, size - 1, i + 1)) yield [items[i]!, ...rest]
  }
}
