/**
 * The base order plus added edges, with undo: does a path lead from a to b, and through which added edges?
 *
 * Every node that was ever asked about keeps a clock: per chain, how many nodes precede it. Adding an edge raises the clocks of the nodes
 * behind it; along a chain those form one stretch, so the cost is what really changes. Taking an edge back restores them. A question is then a
 * single comparison, which is what a search that asks a hundred times per choice needs. Paths are only looked for when a conflict has to be
 * explained, by flooding backwards.
 */
import type { BaseOrder } from './base-order.ts'

/** The tag of edges that hold unconditionally. */
export const HARD = -1

const NOT_TRACKED = -1

export class Closure {
  private readonly from: number[] = []
  private readonly to: number[] = []
  private readonly tag: number[] = []
  /** Per chain: edges that end there, by the position of their end. For flooding. */
  private readonly ending: number[][]

  /** Node → number of its clock. Clocks lie one after the other in `pool`, each as long as there are chains. */
  private readonly tracked = new Map<number, number>()
  private pool = new Int32Array(1024)
  private readonly node: number[] = []
  /** How many edges there were when the clock was made; taking back an older edge makes it void. */
  private readonly madeAt: number[] = []
  /** Per chain: tracked nodes by position. */
  private readonly onChain: number[][]
  /** What edges changed: clock number and its old content, and per edge where its changes begin. */
  private undo = new Int32Array(1024)
  private undoLength = 0
  private readonly undoStart: number[] = []

  private readonly pasts = new Map<number, Int32Array>()
  private readonly scratch: Int32Array
  private readonly pointer: Int32Array
  private readonly applied: number[] = []

  constructor(readonly base: BaseOrder) {
    const chains = base.chainCount
    this.ending = Array.from({ length: chains }, () => [])
    this.onChain = Array.from({ length: chains }, () => [])
    this.scratch = new Int32Array(chains)
    this.pointer = new Int32Array(chains)
  }

  get size(): number {
    return this.from.length
  }

  edge(i: number): readonly [number, number] {
    return [this.from[i]!, this.to[i]!]
  }

  /** Adds an edge that closes no cycle. */
  add(from: number, to: number, tag: number): void {
    const source = this.clockOf(from)
    this.clockOf(to)
    this.undoStart.push(this.undoLength)
    this.raise(from, to, source)
    const i = this.from.length
    this.from.push(from)
    this.to.push(to)
    this.tag.push(tag)
    const list = this.ending[this.base.chainOf(to)]!
    const position = this.base.positionOf(to)
    let at = list.length
    while (at > 0 && this.base.positionOf(this.to[list[at - 1]!]!) > position) at--
    list.splice(at, 0, i)
  }

  /** Takes back the latest edges, until `size` are left. */
  popTo(size: number): void {
    if (this.size <= size) return
    while (this.size > size) this.pop()
    // Clocks made while a lost edge was there hold it in a way that cannot be undone: they are made again. Such clocks are the latest ones.
    for (let k = this.node.length - 1; k >= 0 && this.madeAt[k]! > size; k--) this.remake(k)
  }

  private pop(): void {
    const { pool, undo } = this
    const chains = this.base.chainCount
    const start = this.undoStart.pop()!
    // Copied by hand: for a dozen numbers, `set` and `subarray` cost more than the copy.
    for (let at = this.undoLength - chains - 1; at >= start; at -= chains + 1) {
      for (let c = 0, clock = undo[at]! * chains; c < chains; c++) pool[clock + c] = undo[at + 1 + c]!
    }
    this.undoLength = start
    const i = this.from.length - 1
    const list = this.ending[this.base.chainOf(this.to[i]!)]!
    list.splice(list.lastIndexOf(i), 1)
    this.from.pop()
    this.to.pop()
    this.tag.pop()
  }

  /** Per chain, how many nodes precede `node` (itself included). */
  past(node: number): Int32Array {
    const clock = this.clockOf(node)
    return this.pool.slice(clock, clock + this.base.chainCount)
  }

  /** Does a path lead from `a` to `b`? A node reaches itself. */
  reaches(a: number, b: number): boolean {
    const clock = this.clockOf(b) // may make the pool anew
    return this.pool[clock + this.base.chainOf(a)]! > this.base.positionOf(a)
  }

  /** The tags of the added edges on a path from `a` to `b`; call it only where `reaches(a, b)`. */
  path(a: number, b: number): number[] {
    return this.route(a, b).map((i) => this.tag[i]!)
  }

  /** The added edges on a path from `a` to `b`, first to last. */
  route(a: number, b: number): number[] {
    this.flood(b, a)
    const applied = this.applied.slice()
    const edges: number[] = []
    let target = a
    for (let limit = applied.length; ;) {
      if (this.covers(b, target)) return edges
      // The first applied edge whose start lies after the target was reached without the target's help.
      let k = 0
      while (k < limit && !this.covers(this.from[applied[k]!]!, target)) k++
      if (k === limit) throw new Error('no path to explain')
      edges.push(applied[k]!)
      target = this.to[applied[k]!]!
      limit = k
    }
  }

  /** Where the node's clock starts in the pool. */
  private clockOf(node: number): number {
    const k = this.tracked.get(node) ?? NOT_TRACKED
    return (k === NOT_TRACKED ? this.track(node) : k) * this.base.chainCount
  }

  private track(node: number): number {
    const k = this.node.length
    const chains = this.base.chainCount
    const clock = this.flood(node, NOT_TRACKED)
    if ((k + 1) * chains > this.pool.length) this.pool = longer(this.pool, (k + 1) * chains)
    this.pool.set(clock, k * chains)
    this.tracked.set(node, k)
    this.node.push(node)
    this.madeAt.push(this.size)
    const list = this.onChain[this.base.chainOf(node)]!
    list.splice(this.firstFrom(list, this.base.positionOf(node)), 0, k)
    return k
  }

  private remake(k: number): void {
    this.pool.set(this.flood(this.node[k]!, NOT_TRACKED), k * this.base.chainCount)
    this.madeAt[k] = this.size
  }

  /** Of tracked nodes on a chain, the first index at or after a position. */
  private firstFrom(list: readonly number[], position: number): number {
    let lo = 0
    let hi = list.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.base.positionOf(this.node[list[mid]!]!) < position) lo = mid + 1
      else hi = mid
    }
    return lo
  }

  /** Adds the past of `from` to every tracked node behind `to`. */
  private raise(from: number, to: number, source: number): void {
    const { base, pool } = this
    const chains = base.chainCount
    const toChain = base.chainOf(to)
    const toPosition = base.positionOf(to)
    const fromChain = base.chainOf(from)
    const fromPosition = base.positionOf(from)
    for (const list of this.onChain) {
      // Along a chain the past only grows: nodes behind `to` are the last ones, and those that already know `from` the last of these.
      let lo = 0
      let hi = list.length
      while (lo < hi) {
        const mid = (lo + hi) >>> 1
        if (pool[list[mid]! * chains + toChain]! > toPosition) hi = mid
        else lo = mid + 1
      }
      for (let i = lo; i < list.length; i++) {
        const k = list[i]!
        const clock = k * chains
        if (pool[clock + fromChain]! > fromPosition) break
        if (this.undoLength + chains + 1 > this.undo.length) this.undo = longer(this.undo, this.undoLength + chains + 1)
        const { undo } = this
        let at = this.undoLength
        undo[at++] = k
        for (let c = 0; c < chains; c++) {
          const old = pool[clock + c]!
          undo[at++] = old
          if (pool[source + c]! > old) pool[clock + c] = pool[source + c]!
        }
        this.undoLength = at
      }
    }
  }

  /** Base order alone: does `a` come before or equal `node`? */
  private covers(node: number, a: number): boolean {
    return this.pastOf(node)[this.base.chainOf(a)]! > this.base.positionOf(a)
  }

  private pastOf(node: number): Int32Array {
    let past = this.pasts.get(node)
    if (!past) {
      past = new Int32Array(this.base.chainCount)
      this.base.joinPast(node, past)
      this.pasts.set(node, past)
    }
    return past
  }

  /** The clock of `node` from scratch, by all edges; stops early once it covers `goal`. Leaves the edges it used in `applied`. */
  private flood(node: number, goal: number): Int32Array {
    const { scratch: clock, pointer, applied, base } = this
    const chain = goal === NOT_TRACKED ? 0 : base.chainOf(goal)
    const position = goal === NOT_TRACKED ? Infinity : base.positionOf(goal)
    clock.set(this.pastOf(node))
    pointer.fill(0)
    applied.length = 0
    for (let changed = true; changed;) {
      changed = false
      for (let c = 0; c < base.chainCount; c++) {
        const list = this.ending[c]!
        let p = pointer[c]!
        while (p < list.length) {
          const i = list[p]!
          if (base.positionOf(this.to[i]!) >= clock[c]!) break
          p++
          const from = this.from[i]!
          if (clock[base.chainOf(from)]! > base.positionOf(from)) continue
          const past = this.pastOf(from)
          for (let k = 0; k < past.length; k++) if (past[k]! > clock[k]!) clock[k] = past[k]!
          applied.push(i)
          changed = true
          if (clock[chain]! > position) return clock
        }
        pointer[c] = p
      }
    }
    return clock
  }
}

function longer(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const bigger = new Int32Array(Math.max(least, array.length * 2))
  bigger.set(array)
  return bigger
}
