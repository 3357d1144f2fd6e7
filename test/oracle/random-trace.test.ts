/** The generator gives real runs of every sort, and the shrinker makes them small. */
import { expect, it } from 'vitest'
import { ACQUIRE_SHARED, ATOMIC_END, BRANCH, EXIT, JOIN, NOTIFY, NOTIFY_ALL, OPS, REQUEST, WAKE, isRelease } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { MODELS } from '../../src/trace/model.ts'
import { allRaces, explore, replays } from './enumerate.ts'
import { randomTrace, type RandomTraceOptions } from './random-trace.ts'
import { showTrace, shrink } from './shrink.ts'

const SORTS: RandomTraceOptions[] = [
  {},
  { branches: true, regions: true },
  { observed: 'some' },
  { observed: 'none' },
  { observed: 'mixed' },
  { extras: true, mixedNesting: true },
  { locks: [1, 2], signals: [1, 2], locations: 1 },
]

it('the recorded order is feasible under every model, and so is what the enumeration finds', () => {
  for (const options of SORTS) {
    for (let seed = 0; seed < 200; seed++) {
      const trace = randomTrace(seed, options)
      for (const model of MODELS) {
        expect(replays(trace, model, trace.recordedOrder()), `seed ${seed} ${model}\n${showTrace(trace)}`).toEqual({ ok: true, why: '' })
        const enumeration = explore(trace, model)
        const all = Array.from({ length: trace.eventCount }, (_, e) => e)
        const whole = enumeration.witness({ include: all })!
        expect([...whole].sort((a, b) => a - b)).toEqual(all)
        expect(replays(trace, model, whole).ok).toBe(true)
      }
      // A stricter model never finds more.
      const races = MODELS.map((model) => allRaces(trace, model).map(String))
      expect(races[0]).toEqual(expect.arrayContaining(races[2]!))
      expect(races[2]).toEqual(expect.arrayContaining(races[1]!))
    }
  }
})

it('is the same for the same seed, and another for another', () => {
  expect(showTrace(randomTrace(5))).toBe(showTrace(randomTrace(5)))
  expect(showTrace(randomTrace(5))).not.toBe(showTrace(randomTrace(6)))
})

it('has every sort of event', () => {
  const met = new Set<number>()
  let bare = 0
  for (let seed = 0; seed < 300; seed++) {
    const trace = randomTrace(seed, { branches: true, regions: true, extras: true, events: [8, 14] })
    for (let e = 0; e < trace.eventCount; e++) {
      met.add(trace.op[e]!)
      if (trace.op[e] === WAKE && (trace.taskStart.includes(e) || !isRelease(trace.op[e - 1]!))) bare++
    }
  }
  const names = [...met].map((op) => OPS[op]!.name)
  for (const op of [ACQUIRE_SHARED, ATOMIC_END, BRANCH, EXIT, JOIN, NOTIFY, NOTIFY_ALL, REQUEST, WAKE])
    expect(names).toContain(OPS[op]!.name)
  expect(bare).toBeGreaterThan(0)
})

it('gives medium traces too', () => {
  for (let seed = 0; seed < 20; seed++) {
    const trace = randomTrace(seed, { events: 1000, tasks: 16, locks: 5, signals: 2, locations: 20 })
    expect(trace.eventCount).toBe(1000)
    expect(replays(trace, 'maximal', trace.recordedOrder()).ok).toBe(true)
  }
})

it('shares the stamp of a wait on demand, and hides the global order', () => {
  let triples = 0
  for (let seed = 0; seed < 100; seed++) {
    const trace = randomTrace(seed, { waitStamps: 'shared', locks: 1, signals: 1, events: 14 })
    for (let e = 1; e < trace.eventCount; e++) {
      if (trace.op[e] !== WAKE || trace.taskStart.includes(e) || !isRelease(trace.op[e - 1]!)) continue
      triples++
      expect(trace.stamp[e - 1]).toBe(trace.stamp[e])
    }
  }
  expect(triples).toBeGreaterThan(10)
  const local = randomTrace(3, { order: 'task' })
  for (let t = 0; t < local.taskCount; t++) {
    for (let e = local.taskStart[t]!; e < local.taskStart[t + 1]!; e++) expect(local.stamp[e]).toBe(e - local.taskStart[t]!)
  }
})

it('shrinks to what matters', async () => {
  const fails = (trace: Trace): boolean => allRaces(trace, 'maximal').length > 0
  for (let seed = 0; seed < 30; seed++) {
    const trace = randomTrace(seed, { events: 14, locks: [1, 2], branches: seed % 2 === 0 })
    if (!fails(trace)) continue
    const small = await shrink(trace, fails)
    expect(fails(small)).toBe(true)
    expect(small.eventCount, showTrace(small)).toBe(2)
  }
})

it('shrinks around demands that stay', async () => {
  const traces = Array.from({ length: 20 }, (_, seed) => randomTrace(seed, { events: 14, locks: 1, tasks: 3 }))
  const trace = traces.find((t) => allRaces(t, 'sync').length > 0)!
  const [a, b] = allRaces(trace, 'sync')[0]!
  const small = await shrink(trace, (smaller, idOf) => {
    const next = [idOf(a), idOf(b)]
    return !next.includes(-1) && explore(smaller, 'sync').feasible({ next })
  })
  expect(small.eventCount).toBe(2)
})
