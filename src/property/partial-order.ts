/** Small partial orders: pairs of places as numbers. */

export const pair = (a: number, b: number): number => a * 64 + b

/** The order with more pairs, closed; undefined if they contradict it. */
export function close(order: ReadonlySet<number>, more: readonly number[], size: number): Set<number> | undefined {
  const all = new Set([...order, ...more])
  for (let k = 0; k < size; k++) {
    for (let i = 0; i < size; i++) {
      if (!all.has(pair(i, k))) continue
      for (let j = 0; j < size; j++) if (all.has(pair(k, j))) all.add(pair(i, j))
    }
  }
  for (let i = 0; i < size; i++) if (all.has(pair(i, i))) return undefined
  return all
}

/** The pairs of a closed order that do not follow from others. */
export function reduced(order: ReadonlySet<number>, size: number): [number, number][] {
  const found: [number, number][] = []
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      if (!order.has(pair(a, b))) continue
      let direct = true
      for (let k = 0; k < size && direct; k++) direct = !(order.has(pair(a, k)) && order.has(pair(k, b)))
      if (direct) found.push([a, b])
    }
  }
  return found
}
