import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { checkOrder, decidePolygraph, parsePolygraph, type Polygraph, type PolygraphAnswer } from '../../src/solve/polygraph/index.ts'
import { chainsOf } from '../../src/solve/polygraph/chains.ts'
import { lookAhead, type LookAheadEnd } from '../../src/solve/polygraph/lookahead.ts'
import { Reach } from '../../src/solve/polygraph/reach.ts'
import { reconstruct } from '../../src/solve/polygraph/reconstruct.ts'
import { Resolution } from '../../src/solve/polygraph/resolve.ts'
import { THREE_TASKS_SEVEN_CHOICES } from './seven-choices.ts'

/** Chains, edges and choices by the names of their nodes. */
function draw(chains: string[], edges: string[], choices: [string, string][]): Polygraph & { node: (name: string) => number } {
  const names = chains.flatMap((chain) => chain.split(' '))
  const node = (name: string): number => {
    const i = names.indexOf(name)
    if (i < 0) throw new Error(`no node ${name}`)
    return i
  }
  const pair = (text: string): [number, number] => {
    const [a, b] = text.split(' ')
    return [node(a!), node(b!)]
  }
  const next = chains.flatMap((chain) => chain.split(' ').map((name, i, list) => (i + 1 < list.length ? node(name) + 1 : -1)))
  return {
    n: names.length,
    next,
    hard: edges.map(pair),
    poly: choices.map(([first, second]) => [...pair(first), ...pair(second)] as [number, number, number, number]),
    node,
  }
}

const FIGURE_2 = draw(["acq1 s t' rel1", "acq2 s' t rel2", 'p q'], ['s p', "s' p", "q t'", 'q t'], [['rel1 acq2', 'rel2 acq1']])

const FIGURE_3 = draw(
  ["acq1 s t' rel1", "acq2 s' t rel2", "acq1' p1 q1 rel1'", "acq2' p2 q2 rel2'"],
  ['s q1', "s' q1", 's q2', "s' q2", 'p1 t', "p1 t'", 'p2 t', "p2 t'"],
  [
    ['rel1 acq2', 'rel2 acq1'],
    ["rel1' acq2'", "rel2' acq1'"],
  ],
)

/** Figure 3 without s before t: rel1→acq2 is out because s' is before t' whichever way the second polyedge goes. */
const FIGURE_4 = draw(
  ["acq1 t' rel1", "acq2 s' rel2", "acq1' p1 q1 rel1'", "acq2' p2 q2 rel2'"],
  ["s' q1", "s' q2", "p1 t'", "p2 t'"],
  [
    ['rel1 acq2', 'rel2 acq1'],
    ["rel1' acq2'", "rel2' acq1'"],
  ],
)

type Edge = readonly [number, number]

function isAcyclic(n: number, edges: readonly Edge[]): boolean {
  const into = Array.from({ length: n }, () => 0)
  for (const [, b] of edges) into[b]!++
  const free = into.flatMap((count, node) => (count === 0 ? [node] : []))
  let placed = 0
  for (let a = free.pop(); a !== undefined; a = free.pop()) {
    placed++
    for (const [x, b] of edges) if (x === a && --into[b]! === 0) free.push(b)
  }
  return placed === n
}

function fixedEdges({ next, hard }: Polygraph): Edge[] {
  return [...Array.from(next, (b, a): Edge => [a, b]).filter(([, b]) => b >= 0), ...hard]
}

/** All 2^m resolutions. */
function bruteForce(polygraph: Polygraph): boolean {
  const fixed = fixedEdges(polygraph)
  const { n, poly } = polygraph
  for (let way = 0; way < 1 << poly.length; way++) {
    const chosen = poly.map(([a, b, c, d], i): Edge => (way & (1 << i) ? [c, d] : [a, b]))
    if (isAcyclic(n, [...fixed, ...chosen])) return true
  }
  return false
}

/** The cycle is one: each pair in program order, an edge, or a choice that was forced (or, under `over`, tried). */
function expectCycle(polygraph: Polygraph, answer: PolygraphAnswer & { feasible: false }): void {
  const chains = chainsOf(polygraph)
  if ('node' in chains) throw new Error(chains.fault)
  const chosen = answer.steps.map(({ poly, side }) => {
    const [a, b, c, d] = polygraph.poly[poly]!
    return side === 1 ? [a, b] : [c, d]
  })
  const tried =
    answer.over.length > 0
      ? polygraph.poly.flatMap(([a, b, c, d]) => [
          [a, b],
          [c, d],
        ])
      : []
  const edges = [...polygraph.hard, ...chosen, ...tried]
  expect(answer.cycle.length).toBeGreaterThan(0)
  for (const [i, a] of answer.cycle.entries()) {
    const b = answer.cycle[(i + 1) % answer.cycle.length]!
    const inChain = chains.chain[a] === chains.chain[b] && chains.place[a]! < chains.place[b]!
    expect(inChain || edges.some(([x, y]) => x === a && y === b), `${a} before ${b} in ${answer.cycle.join()}`).toBe(true)
  }
}

/** Some chains; edges that agree with a hidden order most of the time; choices of sections (as of a lock) and of any nodes. */
function randomPolygraph(random: Random, chainCount: number, polyCount: number, agreeing: number): Polygraph {
  const next: number[] = []
  const chains = Array.from({ length: chainCount }, () => {
    const start = next.length
    const length = 2 + random.below(5)
    for (let i = 0; i < length; i++) next.push(i + 1 < length ? start + i + 1 : -1)
    return { start, length }
  })
  const n = next.length
  const key = Array.from({ length: n }, () => random.next())
  for (const { start, length } of chains) {
    const sorted = key.slice(start, start + length).sort((a, b) => a - b)
    for (let i = 0; i < length; i++) key[start + i] = sorted[i]!
  }
  const hard: [number, number][] = []
  for (let i = random.below(2 * chainCount); i > 0; i--) {
    const a = random.below(n)
    const b = random.below(n)
    if (a !== b) hard.push(key[a]! < key[b]! === random.chance(agreeing) ? [a, b] : [b, a])
  }
  const section = (): [number, number] => {
    const { start, length } = random.pick(chains)
    const from = random.below(length)
    return [start + from, start + from + random.below(length - from)]
  }
  const poly = Array.from({ length: polyCount }, (): [number, number, number, number] => {
    if (random.chance(0.2)) return [random.below(n), random.below(n), random.below(n), random.below(n)]
    const [acq1, rel1] = section()
    const [acq2, rel2] = section()
    return [rel1, acq2, rel2, acq1]
  })
  return { n, next, hard, poly }
}

/** No edges; choices between two edges that have nothing to do with each other: harder than locks. */
function anyChoices(random: Random, chainCount: number, polyCount: number): Polygraph {
  const length = 5 + random.below(6)
  const n = chainCount * length
  const edge = (): [number, number] => {
    const from = random.below(chainCount)
    const to = (from + 1 + random.below(chainCount - 1)) % chainCount
    return [from * length + random.below(length), to * length + random.below(length)]
  }
  const next = Array.from({ length: n }, (_, i) => ((i + 1) % length === 0 ? -1 : i + 1))
  return { n, next, hard: [], poly: Array.from({ length: polyCount }, () => [...edge(), ...edge()] as [number, number, number, number]) }
}

describe('figures of the paper', () => {
  it('Figure 2: infeasible by transitive orders, and no cycle without them', () => {
    expect(bruteForce(FIGURE_2)).toBe(false)
    const answer = decidePolygraph(FIGURE_2)
    expect(answer).toMatchObject({ feasible: false, stage: 'resolve' })
    expectCycle(FIGURE_2, answer as PolygraphAnswer & { feasible: false })

    const single = new Resolution(FIGURE_2, false)
    expect(single.settle()).toBe(true)
    expect(single.remaining).toBe(1)
    expect(decidePolygraph(FIGURE_2, { transitive: false, depth: 0 })).toMatchObject({ unknown: true, stage: 'reconstruct', remaining: 1 })
  })

  it('Figure 3: infeasible, which takes look-ahead', () => {
    expect(bruteForce(FIGURE_3)).toBe(false)
    const rules = new Resolution(FIGURE_3)
    expect(rules.settle()).toBe(true)
    expect(rules.remaining).toBe(2)
    expect(decidePolygraph(FIGURE_3, { depth: 0 })).toMatchObject({ unknown: true, remaining: 2 })
    for (const propagate of [false, true]) {
      const answer = decidePolygraph(FIGURE_3, { depth: 1, propagate })
      expect(answer).toMatchObject({ feasible: false, stage: 'look-ahead' })
      expectCycle(FIGURE_3, answer as PolygraphAnswer & { feasible: false })
    }
  })

  it('Figure 4: feasible, though rel1→acq2 as the first pick runs into a cycle', () => {
    expect(bruteForce(FIGURE_4)).toBe(true)
    const resolution = new Resolution(FIGURE_4)
    expect(resolution.settle()).toBe(true)
    expect(resolution.remaining).toBe(2)
    const rank = Array.from({ length: FIGURE_4.n }, (_, i) => i)
    expect(reconstruct(resolution, { hints: [1, 0], rank })).toBe(false)
    expect(resolution.remaining).toBe(2)
    expect(reconstruct(resolution, { hints: [2, 2], rank })).toBe(true)

    // Without a way back, the wrong hint costs the answer; look-ahead repairs it.
    const misled = { ...FIGURE_4, hints: [1, 0] }
    const prefer = Int32Array.from(rank)
    expect(decidePolygraph(misled, { depth: 0, prefer })).toMatchObject({ unknown: true })
    const answer = decidePolygraph(misled, { prefer })
    expect(answer).toMatchObject({ feasible: true, stage: 'look-ahead' })
    expect(decidePolygraph({ ...FIGURE_4, hints: [2, 2] })).toMatchObject({ feasible: true, stage: 'reconstruct' })
  })

  it('Rule 2 across chains (Figure 6) holds with single edges too', () => {
    // W1→R1 and then an edge from behind R1 to before R2: R2 cannot be before W1.
    const figure6 = draw(['W1', 'R1 s', 'W2', 't R2'], ['W1 R1', 'W2 R2', 's t'], [['R1 W2', 'R2 W1']])
    for (const transitive of [true, false]) {
      const resolution = new Resolution(figure6, transitive)
      expect(resolution.settle()).toBe(true)
      expect(resolution.steps).toEqual([{ poly: 0, side: 1, over: [] }])
    }
  })
})

describe('the counterexample to Theorem 3', () => {
  it('is infeasible', () => {
    expect(bruteForce(THREE_TASKS_SEVEN_CHOICES)).toBe(false)
  })

  it('is unknown to look-ahead over as many polyedges as there are chains', () => {
    expect(decidePolygraph(THREE_TASKS_SEVEN_CHOICES)).toEqual({
      unknown: true,
      stage: 'look-ahead',
      remaining: 7,
      outOfBudget: false,
    })
    for (const depth of [1, 2, 3]) expect(decidePolygraph(THREE_TASKS_SEVEN_CHOICES, { depth })).toMatchObject({ unknown: true })
  })

  it('falls to one polyedge more, or to the rules inside each branch', () => {
    const deeper = decidePolygraph(THREE_TASKS_SEVEN_CHOICES, { depth: 4 })
    expect(deeper).toMatchObject({ feasible: false, stage: 'look-ahead', over: [] })
    expectCycle(THREE_TASKS_SEVEN_CHOICES, deeper as PolygraphAnswer & { feasible: false })
    // Both edges of the first polyedge lead the rules into a cycle.
    const probed = decidePolygraph(THREE_TASKS_SEVEN_CHOICES, { depth: 1, propagate: true })
    expect(probed).toMatchObject({ feasible: false, stage: 'look-ahead', steps: [], over: [0] })
    expectCycle(THREE_TASKS_SEVEN_CHOICES, probed as PolygraphAnswer & { feasible: false })
  })

  it('is unknown when the budget runs out', () => {
    for (const propagate of [false, true]) {
      const answer = decidePolygraph(THREE_TASKS_SEVEN_CHOICES, { depth: 7, budget: 1, propagate })
      expect(answer).toEqual({ unknown: true, stage: 'look-ahead', remaining: 7, outOfBudget: true })
    }
  })
})

describe('random polygraphs against all resolutions', () => {
  const check = (polygraph: Polygraph, answer: PolygraphAnswer, expected: boolean): void => {
    if (answer.unknown) return
    expect(answer.feasible, JSON.stringify(polygraph)).toBe(expected)
    if (answer.feasible) expect(checkOrder(polygraph, answer.order)).toBeUndefined()
    else expectCycle(polygraph, answer)
  }

  /** Unknown answers per way to decide; fewer is better, wrong ones fail at once. */
  const count = (seed: number, rounds: number, make: (random: Random) => Polygraph, transitive = true): Record<string, number> => {
    const random = new Random(seed)
    const counts: Record<string, number> = { feasible: 0, infeasible: 0 }
    for (let i = 0; i < rounds; i++) {
      const polygraph = make(random)
      const expected = bruteForce(polygraph)
      counts[expected ? 'feasible' : 'infeasible']!++
      for (const depth of [0, 1, 2, 3]) {
        for (const propagate of depth === 0 ? [false] : [false, true]) {
          const answer = decidePolygraph(polygraph, { depth, propagate, transitive })
          check(polygraph, answer, expected)
          const name = `unknown at ${depth}${propagate ? ' with rules' : ''}`
          counts[name] = (counts[name] ?? 0) + (answer.unknown ? 1 : 0)
        }
      }
    }
    return counts
  }
  const NO_UNKNOWN = Object.fromEntries(
    [1, 2, 3].flatMap((depth) => [`unknown at ${depth}`, `unknown at ${depth} with rules`]).map((name) => [name, 0]),
  )
  const sections = (random: Random): Polygraph => randomPolygraph(random, 2 + random.below(3), 1 + random.below(6), 0.9)
  const anyNodes = (random: Random): Polygraph => anyChoices(random, 2 + random.below(3), 6)

  it('choices of sections: every definite answer is right', () => {
    expect(count(4, 1500, sections)).toEqual({
      feasible: 671,
      infeasible: 829,
      'unknown at 0': 1,
      ...NO_UNKNOWN,
    })
    expect(count(4, 500, sections, false)).toEqual({ feasible: 235, infeasible: 265, 'unknown at 0': 3, ...NO_UNKNOWN })
  })

  it('choices of any two edges: every definite answer is right', () => {
    expect(count(5, 1500, anyNodes)).toEqual({
      feasible: 1405,
      infeasible: 95,
      'unknown at 0': 212,
      ...NO_UNKNOWN,
      'unknown at 1': 25,
      'unknown at 2': 2,
    })
  })

  it('reads hints and a preferred order without harm', () => {
    const random = new Random(6)
    for (let i = 0; i < 500; i++) {
      const polygraph = { ...anyNodes(random), hints: Int32Array.from({ length: 6 }, () => random.below(3)) }
      const key = Array.from({ length: polygraph.n }, () => random.next())
      const prefer = Int32Array.from(key.keys()).sort((a, b) => key[a]! - key[b]!)
      check(polygraph, decidePolygraph(polygraph, { prefer }), bruteForce(polygraph))
    }
  })
})

describe('look-ahead', () => {
  /** Section 4.3 word for word: all sets of at most `depth` polyedges, all ways to resolve them. */
  const naive = (resolution: Resolution, depth: number): LookAheadEnd => {
    const refutes = (set: readonly number[], a: number, b: number): boolean => {
      const [poly, ...rest] = set
      if (poly === undefined) return resolution.reach.reaches(a, b)
      return ([1, 2] as const).every((side) => {
        const mark = resolution.mark()
        const holds = !resolution.choose(poly, side) || refutes(rest, a, b)
        resolution.undo(mark)
        return holds
      })
    }
    const forced = (): boolean => {
      const open = resolution.open()
      for (const poly of open) {
        const others = open.filter((i) => i !== poly)
        for (let bits = 1; bits < 1 << others.length; bits++) {
          const set = others.filter((_, i) => bits & (1 << i))
          if (set.length > depth) continue
          for (const side of [1, 2] as const) {
            const [tail, head] = resolution.edge(poly, side)
            if (refutes(set, head, tail)) return resolution.choose(poly, side === 1 ? 2 : 1) && resolution.settle()
          }
        }
      }
      return false
    }
    while (forced());
    return resolution.cycle ? 'cycle' : 'fixpoint'
  }

  it('skips only sets that cannot force anything', () => {
    const random = new Random(8)
    const ends = { cycle: 0, fixpoint: 0, budget: 0 }
    for (let i = 0; i < 600; i++) {
      const polygraph = anyChoices(random, 2 + random.below(2), 7)
      const depth = 1 + random.below(3)
      const [ours, theirs] = [new Resolution(polygraph), new Resolution(polygraph)]
      if (!ours.settle()) continue
      theirs.settle()
      const open = ours.remaining
      const end = lookAhead(ours, { depth, propagate: false, budget: { left: 1e9 } })
      expect(end, JSON.stringify({ depth, polygraph })).toBe(naive(theirs, depth))
      if (end === 'fixpoint') expect(ours.open()).toEqual(theirs.open())
      if (end === 'cycle' || ours.remaining < open) ends[end]++
    }
    expect(ends.cycle).toBeGreaterThan(20)
    expect(ends.fixpoint).toBeGreaterThan(20)
  })
})

describe('reach', () => {
  it('agrees with a search of the graph, and undo restores it', () => {
    const random = new Random(7)
    for (let round = 0; round < 100; round++) {
      const polygraph = { ...randomPolygraph(random, 4, 0, 1), hard: [] }
      const chains = chainsOf(polygraph)
      if ('node' in chains) throw new Error(chains.fault)
      const reach = new Reach(chains)
      const edges = fixedEdges(polygraph)
      const table = (list: readonly Edge[]): boolean[][] => {
        const closed = Array.from({ length: polygraph.n }, (_, a) => Array.from({ length: polygraph.n }, (__, b) => a === b))
        for (const [a, b] of list) closed[a]![b] = true
        for (let k = 0; k < polygraph.n; k++)
          for (const row of closed) if (row[k]) for (const [b, is] of closed[k]!.entries()) row[b] ||= is
        return closed
      }
      const seen = (): boolean[][] =>
        chains.place.reduce((all: boolean[][], _, a) => [...all, Array.from(chains.place, (__, b) => reach.reaches(a, b))], [])
      const marks = []
      for (let i = 0; i < 8; i++) {
        const [a, b] = [random.below(polygraph.n), random.below(polygraph.n)]
        const before = table(edges)
        marks.push({ mark: reach.mark(), before })
        const added = reach.add(a, b)
        expect(added).toBe(!before[b]![a])
        if (added) edges.push([a, b])
        expect(seen()).toEqual(table(edges))
      }
      for (const { mark, before } of marks.reverse()) {
        reach.undo(mark)
        expect(seen()).toEqual(before)
      }
    }
  })
})

describe('parsePolygraph', () => {
  it('reads what was written', () => {
    const parsed = parsePolygraph(JSON.stringify({ ...THREE_TASKS_SEVEN_CHOICES, hints: [0, 1, 2, 0, 0, 0, 0] }))
    expect(parsed).toEqual({ ...THREE_TASKS_SEVEN_CHOICES, hints: Int32Array.of(0, 1, 2, 0, 0, 0, 0) })
  })

  const good = { n: 3, next: [1, -1, -1], hard: [[0, 2]], poly: [[0, 1, 2, 0]] }
  it.each<[string, string, object | string]>([
    ['not JSON', '', '{'],
    ['not an object', '', '[1]'],
    ['not a count', 'n', { ...good, n: -1 }],
    ['not a count', 'n', { ...good, n: 2.5 }],
    ['not a list', 'next', { ...good, next: {} }],
    ['whole number from -1 to 2', 'next[1]', { ...good, next: [1, 3, -1] }],
    ['2 entries for 3 nodes', 'next', { ...good, next: [1, -1] }],
    ['follows two nodes', 'next[1]', { ...good, next: [2, 2, -1] }],
    ['circle', 'next[0]', { ...good, next: [1, 0, -1] }],
    ['circle', 'next[2]', { ...good, next: [1, -1, 2] }],
    ['whole number from 0 to 2', 'hard[0][1]', { ...good, hard: [[0, 3]] }],
    ['not 2 nodes', 'hard[0]', { ...good, hard: [[0, 1, 2]] }],
    ['not a list', 'poly[0]', { ...good, poly: [null] }],
    [
      'whole number',
      'poly[1][2]',
      {
        ...good,
        poly: [
          [0, 1, 2, 0],
          [0, 1, 0.5, 0],
        ],
      },
    ],
    ['0 hints for 1 polyedges', 'hints', { ...good, hints: [] }],
    ['whole number from 0 to 2', 'hints[0]', { ...good, hints: [3] }],
  ])('%s at %s', (fault, at, input) => {
    const parsed = parsePolygraph(typeof input === 'string' ? input : JSON.stringify(input))
    expect(parsed).toEqual({ fault: expect.stringContaining(fault), at })
  })
})

describe('checkOrder', () => {
  it('names what an order breaks', () => {
    const polygraph: Polygraph = { n: 4, next: [1, -1, -1, -1], hard: [[1, 2]], poly: [[2, 3, 3, 0]] }
    expect(checkOrder(polygraph, [0, 1, 2, 3])).toBeUndefined()
    expect(checkOrder(polygraph, [3, 0, 1, 2])).toBeUndefined()
    expect(checkOrder(polygraph, [0, 1, 2])).toContain('3 nodes')
    expect(checkOrder(polygraph, [0, 1, 2, 2])).toContain('twice')
    expect(checkOrder(polygraph, [1, 0, 2, 3])).toContain('program order')
    expect(checkOrder(polygraph, [0, 2, 1, 3])).toContain('edge')
    expect(checkOrder(polygraph, [0, 1, 3, 2])).toContain('polyedge')
  })
})
