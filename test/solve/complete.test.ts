import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { solvePolygraph } from '../../src/solve/complete.ts'
import { checkOrder, type Polygraph } from '../../src/solve/polygraph/polygraph.ts'
import { THREE_TASKS_SEVEN_CHOICES } from './seven-choices.ts'

test('three tasks, seven choices: infeasible', () => {
  expect(solvePolygraph(THREE_TASKS_SEVEN_CHOICES)).toEqual({ feasible: false })
})

test('random polygraphs agree with trying every resolution', () => {
  let feasible = 0
  for (let seed = 0; seed < 4000; seed++) {
    const polygraph = randomPolygraph(new Random(seed))
    const answer = solvePolygraph(polygraph)
    if ('unknown' in answer) throw new Error(`seed ${seed}: unknown`)
    expect(answer.feasible, `seed ${seed}`).toBe(someResolution(polygraph))
    if (answer.feasible) {
      feasible++
      expect(checkOrder(polygraph, answer.order), `seed ${seed}`).toBeUndefined()
    }
  }
  expect(feasible).toBeGreaterThan(500)
  expect(feasible).toBeLessThan(3500)
})

function randomPolygraph(random: Random): Polygraph {
  const chains = 2 + random.below(3)
  const length = 3 + random.below(5)
  const n = chains * length
  const next = Array.from({ length: n }, (_, a) => ((a + 1) % length === 0 ? -1 : a + 1))
  const pair = (): [number, number] => {
    const a = random.below(n)
    let b = random.below(n)
    while (Math.floor(b / length) === Math.floor(a / length)) b = random.below(n)
    return [a, b]
  }
  const hard = Array.from({ length: random.below(4) }, pair)
  const poly = Array.from({ length: 1 + random.below(8) }, (): [number, number, number, number] => [...pair(), ...pair()])
  return { n, next, hard, poly }
}

function someResolution(polygraph: Polygraph): boolean {
  for (let bits = 0; bits < 1 << polygraph.poly.length; bits++) {
    const edges = polygraph.poly.map(([a, b, c, d], i): [number, number] => ((bits >> i) & 1 ? [a, b] : [c, d]))
    if (acyclic(polygraph, edges)) return true
  }
  return false
}

function acyclic(polygraph: Polygraph, extra: readonly (readonly [number, number])[]): boolean {
  const edges = [...polygraph.hard, ...extra]
  for (let a = 0; a < polygraph.n; a++) if (polygraph.next[a]! >= 0) edges.push([a, polygraph.next[a]!])
  const waiting = new Int32Array(polygraph.n)
  for (const [, b] of edges) waiting[b]!++
  const ready = [...waiting.keys()].filter((a) => waiting[a] === 0)
  for (let i = 0; i < ready.length; i++) for (const [a, b] of edges) if (a === ready[i] && --waiting[b]! === 0) ready.push(b)
  return ready.length === polygraph.n
}
