/** Pairs of Figure 4: drawn ones, and random runs against a quadratic version of Algorithm 1. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { typestatePairs, type PairOptions, type TypestateCause } from '../../src/predict/typestate/pairs.ts'
import { rankCauses, scoreOf } from '../../src/predict/typestate/rank.ts'
import type { Typestate } from '../../src/property/ast.ts'
import type { Run } from '../../src/property/instance.ts'
import { parseText } from '../../src/trace/text.ts'
import { validate } from '../../src/trace/validate.ts'
import { byMethod, FILE, LOCK, machine, POINTER, runOf, threads, type Step } from './machines.ts'
import { randomMachine } from './random-machine.ts'

const drawn = (text: string): Run => threads(validate(parseText(text, 'drawing')))
const pairsOf = (typestate: Typestate, run: Run, options: PairOptions = {}): ReturnType<typeof typestatePairs> =>
  typestatePairs(typestate, run, { ...options, operationsIn: byMethod })
const told = (run: Run, causes: readonly TypestateCause[]): string[] =>
  causes.flatMap((cause) =>
    cause.pairs.map(
      (pair) =>
        `${pair.scenario}: ${cause.operations[0]} T${run.trace.taskOf(pair.first)}, ${cause.operations[1]} T${run.trace.taskOf(pair.second)}, ` +
        `${pair.stateBefore} to ${pair.stateAfter}`,
    ),
  )

describe('drawn', () => {
  test("Figure 1: a read, and another thread's close", () => {
    const run = drawn(`
      T0                    T1                    T2
      call(File.open)=#f
      fork(T1)
      fork(T2)
                            call(File.read)=#f
                                                  call(File.close)=#f
    `)
    const { causes, counts } = pairsOf(FILE, run)
    expect(told(run, causes)).toEqual(['a: read T1, close T2, OPEN to CLOSED'])
    // The open comes before the forks, so neither can overtake it.
    expect([counts.pairs, counts.ordered, counts.shown]).toEqual([3, 2, 0])
    expect(causes[0]!.pairs[0]!.distance).toBe(1)
  })

  test('(b): an open that a read of another thread relies on', () => {
    const run = drawn(`
      T1                    T2
      call(File.open)=#f
                            call(File.read)=#f
    `)
    expect(told(run, pairsOf(FILE, run).causes)).toEqual(['b: open T0, read T1, CLOSED to OPEN'])
  })

  test('pointer: a dereference and a free', () => {
    const run = drawn(`
      T1                          T2
      call(Heap.allocate)=#p
      fork(T2)
                                  call(Heap.dereference)=#p
      call(Heap.free)=#p
    `)
    expect(told(run, pairsOf(POINTER, run).causes)).toEqual(['a: dereference T1, free T0, VALID to INVALID'])
  })

  test('lock: destroyed while others may still take it (pbzip2)', () => {
    const run = drawn(`
      T1                      T2
      call(Mutex.init)=#m
      fork(T2)
                              call(Mutex.lock)=#m
                              call(Mutex.unlock)=#m
      call(Mutex.destroy)=#m
    `)
    // The unlock enables the destroy: one that comes earlier finds the lock held.
    expect(told(run, pairsOf(LOCK, run).causes)).toEqual([
      'a: lock T1, destroy T0, UNLOCKED to UNINITIALIZED',
      'b: unlock T1, destroy T0, LOCKED to UNLOCKED',
    ])
  })

  test('steps in between that do not matter to x hide nothing', () => {
    const dirty = machine('Dirty', {
      NEW: { open: 'CLEAN' },
      CLEAN: { read: 'CLEAN', write: 'DIRTY' },
      DIRTY: { 'read write': 'DIRTY', close: 'NEW' },
    })
    const run = drawn(`
      T1                    T2
      call(File.open)=#f
      fork(T2)
                            call(File.read)=#f
      call(File.write)=#f
      call(File.close)=#f
    `)
    expect(told(run, pairsOf(dirty, run).causes)).toEqual(['a: read T1, close T0, DIRTY to NEW'])
  })

  test('other objects, the same task and joined threads are no candidates', () => {
    const run = drawn(`
      T1                    T2
      call(File.open)=#f
      call(File.open)=#g
      fork(T2)
                            call(File.read)=#f
      call(File.read)=#g
      join(T2)
      call(File.close)=#f
      call(File.close)=#g
    `)
    const { causes, counts } = pairsOf(FILE, run)
    expect(causes).toEqual([])
    expect(counts.ordered).toBe(counts.pairs)
  })
})

test('pairs outside the window are not proposed', () => {
  const filler = (n: number): Step[] => Array.from({ length: n }, () => ({ task: 0, operation: 'other', object: 9, site: 'filler' }))
  const steps: Step[] = [
    { task: 1, operation: 'read', object: 1, site: 'r' },
    ...filler(50),
    { task: 2, operation: 'close', object: 1, site: 'c' },
  ]
  const near = pairsOf(FILE, runOf(steps), { window: 51 })
  const far = pairsOf(FILE, runOf(steps), { window: 50 })
  expect([near.causes.length, near.counts.expired]).toEqual([1, 0])
  expect([far.causes.length, far.counts.expired]).toEqual([0, 1])
})

test('of a cause the nearest pairs are kept, and all are counted', () => {
  const steps: Step[] = []
  for (let i = 1; i <= 20; i++) {
    steps.push({ task: 1, operation: 'read', object: i, site: 'r' })
    for (let k = 0; k < (7 * i) % 20; k++) steps.push({ task: 0, operation: 'other', object: 0, site: 'filler' })
    steps.push({ task: 2, operation: 'close', object: i, site: 'c' })
  }
  const [cause, ...others] = pairsOf(FILE, runOf(steps), { perCause: 3 }).causes
  expect(others).toEqual([])
  expect(cause!.occurrences).toBe(20)
  expect(cause!.pairs.map((pair) => pair.distance)).toEqual([1, 2, 3])
  expect(cause!.distance).toBe(1)
})

test('the ranking: far apart and seldom first', () => {
  const cause = (name: string, distance: number, occurrences: number): TypestateCause => ({
    machine: 'M',
    operations: [name, 'x'],
    sites: [0, 0],
    pairs: [],
    occurrences,
    distance,
  })
  const list = [
    cause('often', 100, 64),
    cause('seldom', 100, 1),
    cause('near', 1, 1),
    cause('far', 5000, 1),
    cause('b', 7, 1),
    cause('a', 7, 1),
  ]
  expect(rankCauses(list).map((c) => c.operations[0])).toEqual(['far', 'seldom', 'a', 'b', 'near', 'often'])
  expect(scoreOf({ distance: 3, occurrences: 1 })).toBe(2)
})

/** Algorithm 1 written down plainly: all operations of an object are kept, and each is compared with all before it. */
interface Done {
  readonly step: Step
  readonly event: number
  readonly from: string
  readonly to: string
}

function goes(typestate: Typestate, state: string, operation: string): string | undefined {
  return typestate.states.find((s) => s.name === state)!.transitions.find((t) => t.operations.includes(operation))?.to
}

/** What each step does to its object, and what the objects begin in. Undefined for one that is not permitted or no operation. */
function walk(
  typestate: Typestate,
  steps: readonly Step[],
  begin = new Map<number, string>(),
): ({ from: string; to: string } | undefined)[] {
  const at = new Map(begin)
  return steps.map(({ operation, object }) => {
    const first = typestate.states.find((s) => goes(typestate, s.name, operation) !== undefined)
    if (!first) return undefined
    const from = at.get(object) ?? first.name
    begin.set(object, begin.get(object) ?? from)
    const to = goes(typestate, from, operation)
    at.set(object, to ?? from)
    return to === undefined ? undefined : { from, to }
  })
}

function quadratic(typestate: Typestate, steps: readonly Step[], run: Run): { x: Done; y: Done; scenario: 'a' | 'b' }[] {
  const calls = Array.from(run.order).filter((event) => run.trace.targetName(event).startsWith('Thing.'))
  const done = walk(typestate, steps).map((move, i) => move && { step: steps[i]!, event: calls[i]!, ...move })
  const found: { x: Done; y: Done; scenario: 'a' | 'b' }[] = []
  const can = (state: string, d: Done): boolean => goes(typestate, state, d.step.operation) !== undefined
  for (const [j, second] of done.entries()) {
    for (const first of done.slice(0, j)) {
      if (!first || !second || first.step.object !== second.step.object || first.step.task === second.step.task) continue
      if (!run.mayPrecede(second.event, first.event)) continue
      const steady = first.from === second.from || first.from === first.to
      if (second.from !== second.to && can(second.from, first) && !can(second.to, first) && steady)
        found.push({ x: first, y: second, scenario: 'a' })
      if (first.from !== first.to && !can(first.from, second) && can(first.to, second)) found.push({ x: first, y: second, scenario: 'b' })
    }
  }
  return found
}

/** Mostly what the machine permits: once it has refused something there is little left to find. */
function randomSteps(random: Random, typestate: Typestate): Step[] {
  const at = new Map<number, string>()
  return Array.from({ length: 5 + random.below(40) }, () => {
    const object = random.below(3)
    const state = typestate.states.find((s) => s.name === at.get(object)) ?? typestate.states[0]!
    const permitted = state.transitions.flatMap((t) => t.operations)
    const operation = permitted.length > 0 && random.chance(0.95) ? random.pick(permitted) : random.pick(['a', 'b', 'c', 'd', 'e'])
    at.set(object, goes(typestate, state.name, operation) ?? state.name)
    return { task: random.below(4), operation, object, site: `${operation}${random.below(3)}` }
  })
}

test('random runs: the causes of the quadratic version, whatever is kept', () => {
  let causes = 0
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed)
    const typestate = randomMachine(random)
    const steps = randomSteps(random, typestate)
    const run = runOf(steps, random.chance(0.5))
    const expected = new Set(quadratic(typestate, steps, run).map(({ x, y }) => `${x.step.site} ${y.step.site}`))
    for (const options of [{}, { recent: 3 }, { recent: 100, perCause: 1000 }, { unreduced: true }]) {
      const found = pairsOf(typestate, run, options)
      const name = (site: number): string => run.trace.tables.sites.at(site)
      expect(new Set(found.causes.map((c) => `${name(c.sites[0])} ${name(c.sites[1])}`)), `seed ${seed}`).toEqual(expected)
      expect(found.counts.forgotten).toBe(0)
    }
    causes += expected.size
  }
  expect(causes).toBeGreaterThan(500)
})

test('random runs: with everything kept, the pairs of the quadratic version', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = new Random(seed)
    const typestate = randomMachine(random)
    const steps = randomSteps(random, typestate)
    const run = runOf(steps, random.chance(0.5))
    const expected = quadratic(typestate, steps, run).map(({ x, y, scenario }) => `${scenario} ${x.event} ${y.event}`)
    const { causes } = pairsOf(typestate, run, { recent: 100, perCause: 1000 })
    const found = causes.flatMap((c) => c.pairs.map((p) => `${p.scenario} ${p.first} ${p.second}`))
    expect(found.sort(), `seed ${seed}`).toEqual(expected.sort())
    expect(causes.reduce((sum, c) => sum + c.occurrences, 0)).toBe(expected.length)
  }
})

test('random runs: with its two operations in the other order, every pair breaks the machine', () => {
  let tried = 0
  for (let seed = 1; seed <= 250; seed++) {
    const random = new Random(seed)
    const typestate = randomMachine(random)
    const steps = randomSteps(random, typestate)
    const run = runOf(steps)
    const calls = Array.from(run.order).filter((event) => run.trace.targetName(event).startsWith('Thing.'))
    const begin = new Map<number, string>()
    walk(typestate, steps, begin)
    for (const cause of pairsOf(typestate, run).causes) {
      for (const pair of cause.pairs) {
        const i = calls.indexOf(pair.first)
        const j = calls.indexOf(pair.second)
        const { object } = steps[i]!
        // Only this object counts, and only up to where the run itself went wrong.
        const breaks = (order: readonly Step[], upTo: Step): boolean => {
          const moves = walk(typestate, order, new Map(begin))
          return moves[order.indexOf(upTo)] === undefined
        }
        const between = steps.slice(i + 1, j)
        const early = [...steps.slice(0, i), steps[j]!, steps[i]!]
        const late = [...steps.slice(0, i), ...between, steps[j]!, steps[i]!]
        expect(breaks(early, steps[i]!) || breaks(early, steps[j]!) || breaks(late, steps[i]!), `seed ${seed}, object ${object}`).toBe(true)
        tried++
      }
    }
  }
  expect(tried).toBeGreaterThan(500)
})
