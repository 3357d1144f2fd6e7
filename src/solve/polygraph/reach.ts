/**
 * Which node comes before which, given chains and edges, while edges are added and taken back. Per node and chain we keep the place of
 * the earliest node of that chain that must come after it: a vector clock read forwards. A question is one look-up; adding an edge walks
 * backwards and stops where nothing changes; every change is on a trail for `undo`.
 *
 * With `transitive: false` only one edge (with program order before and after it) counts: Rule 1 as the paper first states it.
 */
import type { Chains } from './chains.ts'

const NEVER = 0x7fffffff

/** Nodes times chains: 256 MB of clocks. More than this and the caller has to cut the problem down. */
export const MAX_CELLS = 1 << 26

export interface ReachMark {
  edges: number
  trail: number
}

export class Reach {
  private readonly width: number
  private readonly clock: Int32Array
  /** Pairs of cell and old value. */
  private readonly trail: number[] = []
  private readonly tail: number[] = []
  private readonly head: number[] = []
  private readonly inFirst: Int32Array
  private readonly inNext: number[] = []
  private readonly outFirst: Int32Array
  private readonly outNext: number[] = []
  private readonly stack: number[] = []

  constructor(
    readonly chains: Chains,
    private readonly transitive = true,
  ) {
    const n = chains.chain.length
    this.width = chains.count
    this.clock = new Int32Array(n * this.width).fill(NEVER)
    for (let a = 0; a < n; a++) this.clock[a * this.width + chains.chain[a]!] = chains.place[a]!
    this.inFirst = new Int32Array(n).fill(-1)
    this.outFirst = new Int32Array(n).fill(-1)
  }

  /** Is a before b, or a = b? */
  reaches(a: number, b: number): boolean {
    return this.clock[a * this.width + this.chains.chain[b]!]! <= this.chains.place[b]!
  }

  /** Adds a→b; false, and nothing is changed, when b is already before a. */
  add(a: number, b: number): boolean {
    if (this.reaches(b, a)) return false
    if (this.reaches(a, b)) return true
    const edge = this.tail.length
    this.tail.push(a)
    this.head.push(b)
    this.inNext.push(this.inFirst[b]!)
    this.inFirst[b] = edge
    this.outNext.push(this.outFirst[a]!)
    this.outFirst[a] = edge
    if (this.transitive) this.spread(a, b)
    else this.spreadInChain(a, b)
    return true
  }

  mark(): ReachMark {
    return { edges: this.tail.length, trail: this.trail.length }
  }

  undo(mark: ReachMark): void {
    while (this.trail.length > mark.trail) {
      const old = this.trail.pop()!
      this.clock[this.trail.pop()!] = old
    }
    while (this.tail.length > mark.edges) {
      this.inFirst[this.head.pop()!] = this.inNext.pop()!
      this.outFirst[this.tail.pop()!] = this.outNext.pop()!
    }
  }

  /** Calls `visit` for every node right before `a`: in its chain, and along edges. */
  eachBefore(a: number, visit: (node: number) => void): void {
    if (this.chains.previous[a]! >= 0) visit(this.chains.previous[a]!)
    for (let edge = this.inFirst[a]!; edge >= 0; edge = this.inNext[edge]!) visit(this.tail[edge]!)
  }

  /** A shortest path from a to b, by its ends and the ends of its edges; between two of them in one chain lies program order. */
  path(a: number, b: number): number[] {
    const { chain, next } = this.chains
    const from = new Map<number, number>([[a, a]])
    const queue = [a]
    for (let i = 0; i < queue.length && !from.has(b); i++) {
      const x = queue[i]!
      const visit = (y: number): void => {
        // A node that cannot reach b is a dead end.
        if (from.has(y) || !this.reaches(y, b)) return
        from.set(y, x)
        queue.push(y)
      }
      if (next[x]! >= 0) visit(next[x]!)
      for (let edge = this.outFirst[x]!; edge >= 0; edge = this.outNext[edge]!) visit(this.head[edge]!)
    }
    const path = [b]
    for (let x = b; x !== a;) {
      x = from.get(x)!
      const last = path.length - 1
      const inOneChain = last > 0 && chain[path[last - 1]!] === chain[x] && chain[path[last]!] === chain[x]
      if (inOneChain) path[last] = x
      else path.push(x)
    }
    return path.reverse()
  }

  private spread(a: number, b: number): void {
    const { stack } = this
    if (!this.lower(a, b)) return
    stack.push(a)
    while (stack.length > 0) {
      const x = stack.pop()!
      const previous = this.chains.previous[x]!
      if (previous >= 0 && this.lower(previous, x)) stack.push(previous)
      for (let edge = this.inFirst[x]!; edge >= 0; edge = this.inNext[edge]!) {
        const y = this.tail[edge]!
        if (this.lower(y, x)) stack.push(y)
      }
    }
  }

  private spreadInChain(a: number, b: number): void {
    const chain = this.chains.chain[b]!
    const place = this.chains.place[b]!
    for (let x = a; x >= 0; x = this.chains.previous[x]!) {
      const cell = x * this.width + chain
      if (this.clock[cell]! <= place) return
      this.trail.push(cell, this.clock[cell]!)
      this.clock[cell] = place
    }
  }

  /** What b is before, a is before too. Says whether that was news. */
  private lower(a: number, b: number): boolean {
    const { clock, width } = this
    let news = false
    for (let i = 0, cell = a * width, other = b * width; i < width; i++, cell++, other++) {
      if (clock[other]! >= clock[cell]!) continue
      this.trail.push(cell, clock[cell]!)
      clock[cell] = clock[other]!
      news = true
    }
    return news
  }
}
