import { expect, test } from 'vitest'
import { components } from '../../src/base/components.ts'
import { Random } from '../../src/base/random.ts'

test('two nodes are in one component exactly if each can be reached from the other', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = new Random(seed)
    const nodes = random.below(12)
    const edges = Array.from({ length: nodes }, () => Array.from({ length: random.below(3) }, () => random.below(nodes)))
    const reach = Array.from({ length: nodes }, (_, from) => {
      const met = new Set([from])
      for (const node of met) for (const to of edges[node]!) met.add(to)
      return met
    })
    const found = components(nodes, (node) => edges[node]!)
    for (let a = 0; a < nodes; a++) for (let b = 0; b < nodes; b++) expect(found[a] === found[b]).toBe(reach[a]!.has(b) && reach[b]!.has(a))
  }
})

test('a path of a hundred thousand nodes needs no stack', () => {
  const nodes = 100_000
  expect(components(nodes, (node) => (node + 1 < nodes ? [node + 1] : [0])).every((c) => c === 0)).toBe(true)
})
