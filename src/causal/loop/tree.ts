/** A forest given by parents, each smaller than its child: is one an ancestor of another? Two comparisons, by an Euler tour. */
import { NONE } from '../../trace/trace.ts'

export class Tree {
  private readonly first: Int32Array
  private readonly last: Int32Array
  private readonly childStart: Int32Array
  private readonly children_: Int32Array

  constructor(readonly parent: Int32Array) {
    const n = parent.length
    this.childStart = new Int32Array(n + 1)
    for (let i = 0; i < n; i++) if (parent[i] !== NONE) this.childStart[parent[i]! + 1]!++
    for (let i = 0; i < n; i++) this.childStart[i + 1]! += this.childStart[i]!
    this.children_ = new Int32Array(this.childStart[n]!)
    const fill = this.childStart.slice(0, n)
    for (let i = 0; i < n; i++) if (parent[i] !== NONE) this.children_[fill[parent[i]!]!++] = i
    // Children are larger than parents: sizes from the end, places from the front.
    const size = new Int32Array(n).fill(1)
    for (let i = n - 1; i >= 0; i--) if (parent[i] !== NONE) size[parent[i]!]! += size[i]!
    this.first = new Int32Array(n)
    this.last = new Int32Array(n)
    const next = new Int32Array(n)
    let roots = 0
    for (let i = 0; i < n; i++) {
      const p = parent[i]!
      this.first[i] = p === NONE ? roots : next[p]!
      if (p === NONE) roots += size[i]!
      else next[p]! += size[i]!
      next[i] = this.first[i]! + 1
      this.last[i] = this.first[i]! + size[i]!
    }
  }

  /** Is `a` an ancestor of `b`, or `b` itself? */
  holds(a: number, b: number): boolean {
    return this.first[a]! <= this.first[b]! && this.first[b]! < this.last[a]!
  }

  /** The child of `a` that is an ancestor of `b`, or `b` itself; `a` is above `b`. */
  childTowards(a: number, b: number): number {
    // Children are in the order of the tour, too.
    let low = this.childStart[a]!
    let high = this.childStart[a + 1]! - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.first[this.children_[middle]!]! <= this.first[b]!) low = middle
      else high = middle - 1
    }
    return this.children_[low]!
  }

  /** In rising order; a view. */
  childrenOf(node: number): Int32Array {
    return this.children_.subarray(this.childStart[node]!, this.childStart[node + 1]!)
  }
}
