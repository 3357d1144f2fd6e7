import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import type { BaseOrder } from '../../src/solve/base-order.ts'
import { Closure } from '../../src/solve/closure.ts'

/** Chains of one length, and nothing else between them. */
const chains = (count: number, length: number): BaseOrder => ({
  chainCount: count,
  chainOf: (node) => Math.floor(node / length),
  positionOf: (node) => node % length,
  joinPast(node, clock) {
    const chain = Math.floor(node / length)
    clock[chain] = Math.max(clock[chain]!, (node % length) + 1)
  },
})

/** By looking at every edge again and again. */
function leadsTo(length: number, edges: readonly (readonly [number, number])[], a: number, b: number): boolean {
  const behind = new Set<number>()
  const add = (node: number): void => {
    for (let n = node; ; n++) {
      behind.add(n)
      if ((n + 1) % length === 0) return
    }
  }
  add(a)
  for (let size = 0; size !== behind.size;) {
    size = behind.size
    for (const [from, to] of edges) if (behind.has(from)) add(to)
  }
  return behind.has(b)
}

describe('closure of chains and edges', () => {
  it('gives the answer of a plain search, whatever is added, asked and taken back', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = new Random(seed)
      const [count, length] = [3 + random.below(3), 4 + random.below(8)]
      const closure = new Closure(chains(count, length))
      let edges: [number, number][] = []
      for (let step = 0; step < 200; step++) {
        const [a, b] = [random.below(count * length), random.below(count * length)]
        expect(closure.reaches(a, b), `seed ${seed}, step ${step}`).toBe(leadsTo(length, edges, a, b))
        if (random.chance(0.2)) {
          const size = random.below(edges.length + 1)
          closure.popTo(size)
          edges = edges.slice(0, size)
        } else if (!closure.reaches(b, a)) {
          closure.add(a, b, edges.length)
          edges.push([a, b])
        }
      }
    }
  })

  it('answers rightly where the question makes it grow', () => {
    const [count, length] = [2, 4000]
    const closure = new Closure(chains(count, length))
    closure.add(0, length, 0)
    const wrong: number[] = []
    for (let b = length; b < 2 * length; b++) if (!closure.reaches(0, b)) wrong.push(b)
    expect(wrong).toEqual([])
  })
})
