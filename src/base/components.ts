/**
 * Strongly connected components (Tarjan 1972), without recursion. Gives for each node the number of its component.
 */
export function components(nodes: number, successors: (node: number) => readonly number[]): Int32Array {
  const found = new Int32Array(nodes) // 0: not yet met
  const low = new Int32Array(nodes)
  const component = new Int32Array(nodes).fill(-1)
  const open: number[] = []
  let met = 0
  let count = 0
  for (let root = 0; root < nodes; root++) {
    if (found[root] !== 0) continue
    const path = [{ node: root, next: 0 }]
    while (path.length > 0) {
      const top = path.at(-1)!
      const { node } = top
      if (found[node] === 0) {
        found[node] = low[node] = ++met
        open.push(node)
      }
      const list = successors(node)
      let deeper = false
      while (top.next < list.length) {
        const to = list[top.next++]!
        if (found[to] === 0) {
          path.push({ node: to, next: 0 })
          deeper = true
          break
        }
        if (component[to] === -1) low[node] = Math.min(low[node]!, found[to]!)
      }
      if (deeper) continue
      if (low[node] === found[node]) {
        for (let member = open.pop()!; ; member = open.pop()!) {
          component[member] = count
          if (member === node) break
        }
        count++
      }
      path.pop()
      const above = path.at(-1)
      if (above) low[above.node] = Math.min(low[above.node]!, low[node]!)
    }
  }
  return component
}
