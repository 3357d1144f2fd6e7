/**
 * The checker against the enumeration's rules, on good witnesses and on mutants of them: what the one refuses the other must refuse. Also
 * that simplify() keeps a witness good.
 */
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { Decider } from '../../src/predict/decide/decider.ts'
import { NOTIFY, NOTIFY_ALL, UPDATE, WAKE, isAcquire, isRead, isRelease, isWrite } from '../../src/trace/ops.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import type { Model } from '../../src/trace/model.ts'
import { Checker } from '../../src/witness/check.ts'
import { simplify, switches } from '../../src/witness/simplify.ts'
import { accepts, randomReordering } from '../oracle/enumerate.ts'
import { candidateDemands, demanding, raceDemands } from '../oracle/random-demands.ts'
import { randomTrace } from '../oracle/random-trace.ts'
import { sized } from '../layer.ts'
import { showTrace } from '../oracle/shrink.ts'
import { modelsOf, SORTS, traceOf } from '../oracle/sorts.ts'

const TRACES = sized(30, 300)

type Mutation = (order: EventId[], trace: Trace, random: Random) => EventId[]

const MUTATIONS: Record<string, Mutation> = {
  'swap two neighbours of different tasks': (order, trace, random) => {
    const places = [...order.keys()].filter((i) => i > 0 && trace.taskOf(order[i]!) !== trace.taskOf(order[i - 1]!))
    return places.length === 0 ? order : moved(order, random.pick(places), -1)
  },
  'swap two events that touch the same thing': (order, trace, random) => {
    const same = pairsOf(order, (a, b) => trace.taskOf(a) !== trace.taskOf(b) && trace.target[a] === trace.target[b])
    return same.length === 0 ? order : swapped(order, ...random.pick(same))
  },
  'let tasks wake in another order': (order, trace, random) => {
    const wakes = pairsOf(order, (a, b) => trace.op[a] === WAKE && trace.op[b] === WAKE)
    if (wakes.length === 0) return order
    const [i, j] = random.pick(wakes)
    // The later one comes right before the earlier one.
    return moved(order, j, i - j)
  },
  'swap any two': (order, _, random) => swapped(order, random.below(order.length), random.below(order.length)),
  'drop an event': (order, _, random) => order.toSpliced(random.below(order.length), 1),
  'drop the last event of a task': (order, trace, random) => {
    const task = trace.taskOf(random.pick(order))
    return order.toSpliced(
      order.findLastIndex((e) => trace.taskOf(e) === task),
      1,
    )
  },
  'repeat an event': (order, _, random) => order.toSpliced(random.below(order.length + 1), 0, random.pick(order)),
  'move a read before its writer': (order, trace, random) => {
    const places = [...order.keys()].filter((i) => isRead(trace.op[order[i]!]!))
    if (places.length === 0) return order
    const at = random.pick(places)
    const writer = order.slice(0, at).findLastIndex((e) => isWrite(trace.op[e]!) && trace.target[e] === trace.target[order[at]!])
    return writer < 0 ? order : moved(order, at, writer - at)
  },
  'move a write anywhere': (order, trace, random) => {
    const places = [...order.keys()].filter((i) => isWrite(trace.op[order[i]!]!))
    if (places.length === 0) return order
    const at = random.pick(places)
    return moved(order, at, random.below(order.length) - at)
  },
  'divide an update': (order, trace, random) => {
    const places = [...order.keys()].filter((i) => trace.op[order[i]!] === UPDATE)
    if (places.length === 0) return order
    const update = order[random.pick(places)]!
    const others = [...order.keys()].filter(
      (i) => trace.target[order[i]!] === trace.target[update] && trace.taskOf(order[i]!) !== trace.taskOf(update),
    )
    if (others.length === 0) return order
    const at = random.pick(others)
    const rest = order.toSpliced(at, 1)
    return rest.toSpliced(rest.indexOf(update), 0, order[at]!)
  },
  'make sections overlap': (order, trace, random) => {
    const places = [...order.keys()].filter((i) => isAcquire(trace.op[order[i]!]!))
    if (places.length === 0) return order
    const at = random.pick(places)
    const release = order.slice(0, at).findLastIndex((e) => isRelease(trace.op[e]!) && trace.target[e] === trace.target[order[at]!])
    return release < 0 ? order : moved(order, at, release - at)
  },
  'drop a notify and what its task does after': (order, trace, random) => {
    const notifies = order.filter((e) => trace.op[e] === NOTIFY || trace.op[e] === NOTIFY_ALL)
    if (notifies.length === 0) return order
    const notify = random.pick(notifies)
    return order.filter((e) => e < notify || trace.taskOf(e) !== trace.taskOf(notify))
  },
  'cut a task short': (order, trace, random) => {
    const from = random.pick(order)
    return order.filter((e) => e < from || trace.taskOf(e) !== trace.taskOf(from))
  },
  'run a task to its end first': (order, trace, random) => {
    const task = trace.taskOf(random.pick(order))
    return [...order.filter((e) => trace.taskOf(e) === task), ...order.filter((e) => trace.taskOf(e) !== task)]
  },
  'run a task further': (order, trace, random) => {
    const task = random.below(trace.taskCount)
    const next = trace.taskStart[task]! + order.filter((e) => trace.taskOf(e) === task).length
    return next < trace.taskStart[task + 1]! ? [...order, next] : order
  },
  'move an event later or earlier': (order, _, random) => {
    const at = random.below(order.length)
    return moved(order, at, random.below(order.length) - at)
  },
  'end early': (order, _, random) => order.slice(0, random.below(order.length)),
}

function moved(order: EventId[], at: number, by: number): EventId[] {
  return order.toSpliced(at, 1).toSpliced(at + by, 0, order[at]!)
}

function swapped(order: EventId[], i: number, j: number): EventId[] {
  return order.with(i, order[j]!).with(j, order[i]!)
}

function pairsOf(order: EventId[], test: (a: EventId, b: EventId) => boolean): [number, number][] {
  const found: [number, number][] = []
  for (let i = 0; i < order.length; i++) for (let j = i + 1; j < order.length; j++) if (test(order[i]!, order[j]!)) found.push([i, j])
  return found
}

const counts = { witnesses: 0, mutants: 0, accepted: 0, simpler: 0 }
const refusals = new Map<string, number>()

function compare(trace: Trace, model: Model, checker: Checker, demands: Demands, order: EventId[], what: string): boolean {
  const refusal = checker.check(demands, Int32Array.from(order))
  const good = accepts(trace, model, order, demands)
  if ((refusal === undefined) !== good) {
    throw new Error(
      `${what}, ${model}: the rules ${good ? 'accept' : 'refuse'} ${order.join(' ')}, the checker says ${refusal?.sentence ?? 'good'}\n` +
        `demands ${JSON.stringify(demands)}\n${showTrace(trace)}`,
    )
  }
  if (refusal) refusals.set(refusal.rule, (refusals.get(refusal.rule) ?? 0) + 1)
  return good
}

function checkSimplified(trace: Trace, checker: Checker, demands: Demands, order: EventId[]): void {
  const before = Int32Array.from(order)
  const after = simplify(trace, before, demands.before)
  const about = `${order.join(' ')} became ${after.join(' ')}\n${showTrace(trace)}`
  expect(checker.check(demands, after), about).toBeUndefined()
  expect(
    [...after].sort((a, b) => a - b),
    about,
  ).toEqual([...order].sort((a, b) => a - b))
  expect(switches(trace, after), about).toBeLessThanOrEqual(switches(trace, before))
  if (switches(trace, after) < switches(trace, before)) counts.simpler++
}

for (const sort of SORTS.flat()) {
  test(`checker and enumeration give the same verdicts: ${sort.name}`, () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const trace = traceOf(sort, seed)
      const random = new Random(seed)
      for (const model of modelsOf(trace)) {
        const checker = new Checker(trace, model)
        const decider = new Decider(trace, model)
        const witnesses: [Demands, EventId[]][] = []
        // Reorderings at random, and witnesses of real candidates, whose demands must hold as well.
        for (let i = 0; i < 2; i++) {
          witnesses.push([demanding({}), randomReordering(trace, model, random, 1 + random.below(trace.eventCount))])
        }
        for (const demands of random.pick([raceDemands(trace), candidateDemands(trace, random, 1)]).slice(0, 2)) {
          const answer = decider.decide(demands)
          if (answer.verdict === 'feasible') witnesses.push([demands, [...answer.witness.order]])
        }
        for (const [demands, order] of witnesses) {
          counts.witnesses++
          expect(compare(trace, model, checker, demands, order, 'a witness')).toBe(true)
          checkSimplified(trace, checker, demands, order)
          if (order.length === 0) continue
          for (const [what, mutate] of Object.entries(MUTATIONS)) {
            const mutant = mutate(order, trace, random)
            if (mutant.length === order.length && mutant.every((e, i) => e === order[i])) continue
            counts.mutants++
            if (!compare(trace, model, checker, demands, mutant, what)) continue
            counts.accepted++
            checkSimplified(trace, checker, demands, mutant)
          }
        }
      }
    }
  })
}

test('an event that the trace does not have is refused', () => {
  const trace = randomTrace(1)
  for (const order of [[trace.eventCount], [-1], [2 ** 31 - 1]]) {
    expect(new Checker(trace, 'sync').check(demanding({}), Int32Array.from(order))?.rule).toBe('prefix')
  }
})

afterAll(() => {
  console.log(`${JSON.stringify(counts)} refused by ${JSON.stringify(Object.fromEntries(refusals))}`)
  expect(counts.mutants).toBeGreaterThan(50_000)
  expect([...refusals.keys()].sort()).toEqual(['demand', 'fork', 'join', 'lock', 'prefix', 'read', 'try', 'update', 'wait'])
})
