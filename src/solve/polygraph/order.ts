/** A linear order of all nodes that keeps what `reach` says and otherwise stays as close to `prefer` as it can. */
import type { Reach } from './reach.ts'

export function linearise(reach: Reach, prefer: ArrayLike<number>): Int32Array {
  const n = reach.chains.chain.length
  const order = new Int32Array(n)
  // 0 unseen, 1 waits for what is before it, 2 placed.
  const state = new Uint8Array(n)
  const stack: number[] = []
  let count = 0
  const wait = (node: number): void => {
    if (state[node] === 0) stack.push(node)
  }
  for (let i = 0; i < n; i++) {
    wait(prefer[i]!)
    while (stack.length > 0) {
      const node = stack.at(-1)!
      if (state[node] === 0) {
        state[node] = 1
        reach.eachBefore(node, wait)
        continue
      }
      stack.pop()
      if (state[node] === 2) continue
      state[node] = 2
      order[count++] = node
    }
  }
  return order
}

/** Where each node is in an order. */
export function ranksOf(order: ArrayLike<number>): Int32Array {
  const rank = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) rank[order[i]!] = i
  return rank
}
