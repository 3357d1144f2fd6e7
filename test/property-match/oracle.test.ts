/** Matching against the definition, on random small runs and patterns. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import type { Pattern } from '../../src/property/ast.ts'
import { instances, newInstanceCounts, type FoundInstance } from '../../src/property/instances.ts'
import { newMonitorCounts, violations } from '../../src/property/monitor.ts'
import { ARGUMENT } from '../../src/trace/ops.ts'
import { Brute, type Match } from './brute.ts'
import { property } from './make.ts'
import { DECLARED, EVENTS, PARAMETERS, linearExtensions, randomCalls, randomMust, randomPattern, type Wishes } from './random.ts'
import { runOf, traceOf } from './runs.ts'

interface Case {
  readonly name: string
  readonly wishes: Wishes
}
const wish = (name: string, ...on: (keyof Wishes)[]): Case => ({
  name,
  wishes: {
    tasks: on.includes('tasks'),
    repeats: on.includes('repeats'),
    regions: on.includes('regions'),
    parallel: on.includes('parallel'),
  },
})
const CASES = [
  wish('plain'),
  wish('repeats', 'repeats'),
  wish('tasks', 'tasks'),
  wish('regions', 'regions', 'tasks'),
  wish('regions of any task', 'regions', 'repeats'),
  wish('at once', 'parallel'),
  wish('at once, regions', 'parallel', 'regions', 'tasks'),
]

/** A pattern that is there without any event is refused. */
function tried<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (/needs no event/.test(String(error))) return undefined
    throw error
  }
}

const show = (pattern: Pattern): string => {
  switch (pattern.kind) {
    case 'event':
      return `${pattern.name}${pattern.task ? `(${pattern.task})` : ''}${pattern.region ? `[${pattern.region.edge}]` : ''}`
    case 'sequence':
      return `(${pattern.parts.map(show).join(' ')})`
    case 'choice':
      return `(${pattern.parts.map(show).join('|')})`
    case 'both':
      return `(${pattern.parts.map(show).join('&')})`
    case 'repeat':
      return `${show(pattern.inner)}${pattern.how}`
    case 'not':
      return `!${show(pattern.inner)}`
    case 'parallel':
      return `${show(pattern.left)}||${show(pattern.right)}`
  }
}

function setUp(seed: number, wishes: Wishes, events: number) {
  const random = new Random(seed)
  const calls = randomCalls(
    random,
    2 + random.below(events - 1),
    (wishes.parallel ? 2 : 1) + random.below(wishes.parallel ? 2 : 3),
    wishes.regions,
  )
  const pattern = randomPattern(random, wishes)
  const must = randomMust(random, calls, random.pick(wishes.regions ? [0.2, 0.4] : wishes.parallel ? [0, 0.1] : [0, 0.1, 0.5]))
  const { trace, heads } = traceOf(calls)
  const callOf = new Map(heads.map((head, i) => [head, i]))
  const mustEvents = (a: number, b: number): boolean => must[callOf.get(a)!]![callOf.get(b)!]!
  const brute = new Brute(calls, EVENTS, PARAMETERS, (a, b) => (calls[a]!.task === calls[b]!.task ? a < b : !must[b]![a]))
  const declared = property([...PARAMETERS], [...DECLARED], pattern)
  const textOf = (code: number): string | undefined => (code === 0 ? undefined : trace.tables.values.textOf(code))
  const bindingText = (binding: Int32Array): string => [...binding].map(textOf).join()
  const bruteText = (match: Match): string =>
    match.binding.map((v) => (typeof v === 'object' && v !== null ? `#${v.object}` : v === undefined ? undefined : String(v))).join()
  const slotsText = (slots: readonly { name: string; event: number }[]): string =>
    slots
      .map((s) => `${s.name}${callOf.get(s.event)}`)
      .sort()
      .join(' ')
  const bruteSlots = (match: Match): string =>
    match.slots
      .map((s) => `${s.name}${s.call}`)
      .sort()
      .join(' ')
  const said = `seed ${seed}: ${show(pattern)} on ${calls.map((c) => `T${c.task} ${c.name} ${JSON.stringify(c.target ?? null)} ${c.args ?? ''}`).join('; ')}`
  return {
    random,
    calls,
    pattern,
    must,
    mustEvents,
    trace,
    heads,
    callOf,
    brute,
    declared,
    bindingText,
    bruteText,
    slotsText,
    bruteSlots,
    said,
  }
}

/** Does binding `a` say nothing that `b` does not? */
const isPart = (a: string, b: string): boolean => {
  const [x, y] = [a.split(','), b.split(',')]
  return x.every((value, i) => value === '' || value === y[i])
}

test.each(CASES)('violations are what the definition says: $name', ({ wishes }) => {
  let violated = 0
  let compared = 0
  for (let seed = 1; seed <= 700; seed++) {
    const { trace, heads, mustEvents, brute, pattern, declared, bindingText, bruteText, slotsText, bruteSlots, said } = setUp(
      seed,
      wishes,
      wishes.regions ? 8 : 6,
    )
    const order = heads.map((_, i) => i)
    const truth = brute.matches(pattern, order, wishes.repeats ? 3 : 1)
    if (!truth) continue
    const counts = newMonitorCounts()
    const found = tried(() => violations(declared, runOf(trace, undefined, mustEvents), Infinity, { counts }))
    if (!found) continue
    compared++
    const trueSlots = new Set(truth.map((m) => `${bruteText(m)} / ${bruteSlots(m)}`))
    for (const v of found) expect(trueSlots, said).toContain(`${bindingText(v.binding)} / ${slotsText(v.slots)}`)
    const bindings = new Set(found.map((v) => bindingText(v.binding)))
    for (const m of truth)
      expect(
        [...bindings].some((b) => isPart(b, bruteText(m))),
        `${said}\nmissing ${bruteText(m)} / ${bruteSlots(m)}`,
      ).toBe(true)
    if (found.length > 0) violated++
    expect(counts.dropped).toBe(0)
  }
  expect(compared).toBeGreaterThan(500)
  expect(violated).toBeGreaterThan(wishes.regions ? 5 : 50)
})

/** Do the orders and guards of an instance hold when the calls come in this order? */
function holdsIn(instance: FoundInstance, at: ReadonlyMap<number, number>): boolean {
  const { slots, before, guards, parallel } = instance
  const place = (s: number): number => at.get(slots[s]!.event)!
  if (before.some(([a, b]) => place(a) > place(b))) return false
  const both = parallel?.map((p) => slots[p]!.event) ?? []
  const end = parallel ? Math.max(...parallel.map(place)) : Infinity
  return guards.every((guard) =>
    guard.events.every((event) => {
      if (both.includes(event)) return true
      const i = at.get(event)!
      return (guard.after >= 0 && i < place(guard.after)) || i > (guard.before >= 0 ? place(guard.before) : end)
    }),
  )
}

test.each(CASES)('instances are what some run can show: $name', ({ wishes }) => {
  let runs = 0
  let matched = 0
  for (let seed = 1; seed <= 250; seed++) {
    const { trace, heads, must, mustEvents, brute, pattern, declared, bindingText, bruteText, slotsText, bruteSlots, said } = setUp(
      seed + 10_000,
      wishes,
      wishes.regions ? 7 : 5,
    )
    const counts = newInstanceCounts()
    const found = tried(() => [...instances(declared, runOf(trace, undefined, mustEvents), { perCause: Infinity, counts })])
    if (!found) continue
    for (const order of linearExtensions(must)) {
      const truth = brute.matches(pattern, order, wishes.repeats ? 3 : 1)
      if (!truth) break
      runs++
      const at = new Map(order.map((call, i) => [heads[call]!, i]))
      const holding = found.filter((instance) => holdsIn(instance, at))
      const trueSlots = new Set(truth.map((m) => `${bruteText(m)} / ${bruteSlots(m)}`))
      for (const i of holding) expect(trueSlots, `${said}\nin ${order}`).toContain(`${bindingText(i.binding)} / ${slotsText(i.slots)}`)
      const held = new Set(holding.map((i) => bindingText(i.binding)))
      for (const m of truth) {
        matched++
        expect(
          [...held].some((b) => isPart(b, bruteText(m))),
          `${said}\nin ${order}: missing ${bruteText(m)} / ${bruteSlots(m)}`,
        ).toBe(true)
      }
      // The recorded order: `observed` says the same.
      if (order.every((call, i) => call === i)) for (const i of found) expect(i.observed, said).toBe(holding.includes(i))
    }
    expect(counts.instances).toBe(found.length)
  }
  expect(runs).toBeGreaterThan(500)
  expect(matched).toBeGreaterThan(wishes.regions ? 5 : 100)
})

test('heads are the events that are no operands', () => {
  const { trace, heads } = traceOf([{ task: 0, name: 'X.a', target: { object: 'X#1' }, args: [1, 2] }])
  expect(heads.length).toBe(1)
  expect(trace.op[1]).toBe(ARGUMENT)
})
