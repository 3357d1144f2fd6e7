/**
 * The base order plus added edges, with undo: does a path lead from a to b, and through which added edges?
 *
 * A question is answered backwards with a clock (per chain, how many nodes are known to precede b), raised by every added edge whose end
 * it covers. Edges are few beside the nodes, so this costs (edges + joins × chains) and needs no upkeep when edges come and go, which is what
 * a backtracking search wants.
 */
import type { BaseOrder } from './base-order.ts'

/** The tag of edges that hold unconditionally. */
export const HARD = -1

export class Closure {
  private readonly from: number[] = []
  private readonly to: number[] = []
  private readonly tag: number[] = []
  /** Per chain: edges that end there, by the position of their end. */
  private readonly ending: number[][]
  private readonly clock: Int32Array
  private readonly pointer: Int32Array
  private readonly applied: number[] = []
  private readonly pasts = new Map<number, Int32Array>()
  /** Work done so far, for budgets. */
  steps = 0

  constructor(readonly base: BaseOrder) {
    this.ending = Array.from({ length: base.chainCount }, () => [])
    this.clock = new Int32Array(base.chainCount)
    this.pointer = new Int32Array(base.chainCount)
  }

  get size(): number {
    return this.from.length
  }

  edge(i: number): readonly [number, number] {
    return [this.from[i]!, this.to[i]!]
  }

  add(from: number, to: number, tag: number): void {
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

  /** Takes back the latest edge. */
  pop(): void {
    const i = this.from.length - 1
    const list = this.ending[this.base.chainOf(this.to[i]!)]!
    list.splice(list.lastIndexOf(i), 1)
    this.from.pop()
    this.to.pop()
    this.tag.pop()
  }

  /** Per chain, how many nodes precede `node` (itself included). Valid until the next question. */
  past(node: number): Int32Array {
    return this.flood(node, -1, 0)
  }

  /** Does a path lead from `a` to `b`? A node reaches itself. */
  reaches(a: number, b: number): boolean {
    const chain = this.base.chainOf(a)
    const position = this.base.positionOf(a)
    return this.flood(b, chain, position)[chain]! > position
  }

  /** The tags of the added edges on a path from `a` to `b`; call it only where `reaches(a, b)`. */
  path(a: number, b: number): number[] {
    return this.route(a, b).map((i) => this.tag[i]!)
  }

  /** The added edges on a path from `a` to `b`, first to last. */
  route(a: number, b: number): number[] {
    if (!this.reaches(a, b)) throw new Error('no path to explain')
    const applied = this.applied.slice()
    const edges: number[] = []
    let target = a
    for (let limit = applied.length; ; ) {
      if (this.covers(b, target)) return edges
      // The first applied edge whose start lies after the target was reached without the target's help.
      let k = 0
      while (k < limit && !this.covers(this.from[applied[k]!]!, target)) k++
      if (k === limit) throw new Error('path lost')
      edges.push(applied[k]!)
      target = this.to[applied[k]!]!
      limit = k
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

  /** Raises the clock of `node` by all edges; stops early once it covers `position` of `chain` (-1: never). */
  private flood(node: number, chain: number, position: number): Int32Array {
    const { clock, pointer, applied, base } = this
    clock.set(this.pastOf(node))
    pointer.fill(0)
    applied.length = 0
    for (let changed = true; changed; ) {
      changed = false
      for (let c = 0; c < base.chainCount; c++) {
        const list = this.ending[c]!
        let p = pointer[c]!
        while (p < list.length) {
          const i = list[p]!
          if (base.positionOf(this.to[i]!) >= clock[c]!) break
          p++
          this.steps++
          const from = this.from[i]!
          if (clock[base.chainOf(from)]! > base.positionOf(from)) continue
          const past = this.pastOf(from)
          for (let k = 0; k < past.length; k++) if (past[k]! > clock[k]!) clock[k] = past[k]!
          applied.push(i)
          changed = true
          if (chain >= 0 && clock[chain]! > position) return clock
        }
        pointer[c] = p
      }
    }
    return clock
  }
}
