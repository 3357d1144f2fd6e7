/** The chains of a polygraph: which chain each node is in, and where. Chains are numbered by their first nodes. */
export interface Chains {
  count: number
  /** Per node: its chain, its place there from 0, and the node before it there or -1. */
  chain: Int32Array
  place: Int32Array
  previous: Int32Array
  next: ArrayLike<number>
}

/** The chains, or the node whose `next` makes them something else. */
export function chainsOf(nodes: { n: number; next: ArrayLike<number> }): Chains | { fault: string; node: number } {
  const { n, next } = nodes
  const previous = new Int32Array(n).fill(-1)
  for (let a = 0; a < n; a++) {
    const b = next[a]!
    if (b < 0) continue
    if (previous[b] !== -1) return { fault: `node ${b} follows two nodes`, node: a }
    previous[b] = a
  }
  const chain = new Int32Array(n).fill(-1)
  const place = new Int32Array(n)
  let count = 0
  for (let start = 0; start < n; start++) {
    if (previous[start] !== -1) continue
    for (let a = start, i = 0; a >= 0; a = next[a]!, i++) {
      chain[a] = count
      place[a] = i
    }
    count++
  }
  const looped = chain.indexOf(-1)
  if (looped >= 0) return { fault: 'program order runs in a circle', node: looped }
  return { count, chain, place, previous, next }
}
