/** Random properties and typestates over calls and writes of files in a loop's trace, what is predicted for them, and the definition that is asked of orders. */
import { expect } from 'vitest'
import { Random } from '../../src/base/random.ts'
import type { LoopRun } from '../../src/causal/loop/run.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictProperties, type PropertyPrediction, type Wanted } from '../../src/predict/loop/property.ts'
import type { Declaration, EventDeclaration, Property, Typestate } from '../../src/property/ast.ts'
import { newMonitorCounts, violations } from '../../src/property/monitor.ts'
import { normalForm } from '../../src/property/normal.ts'
import type { Timers } from '../../src/schedule/schedule.ts'
import { ARGUMENT, CALL, WRITE } from '../../src/trace/ops.ts'
import { parseValue } from '../../src/trace/values.ts'
import { totalsOf } from '../adds-up.ts'
import { Brute, type Match, type SimpleEvent } from '../property-match/brute.ts'
import { property } from '../property-match/make.ts'
import { DECLARED, EVENTS, PARAMETERS, randomPattern, type Wishes } from '../property-match/random.ts'

const NO: Wishes = { tasks: false, repeats: false, regions: false, parallel: false }
export const CASES: { name: string; wishes: Wishes }[] = [
  { name: 'plain', wishes: NO },
  { name: 'repeats', wishes: { ...NO, repeats: true } },
  { name: 'tasks', wishes: { ...NO, tasks: true } },
  { name: 'at once', wishes: { ...NO, parallel: true } },
  { name: 'at once, tasks', wishes: { ...NO, parallel: true, tasks: true } },
  { name: 'regions', wishes: { ...NO, regions: true, tasks: true } },
]
export const namesFor = ({ regions }: Wishes): string[] => ['X.a', 'X.b', 'X.c', 'X.d', ...(regions ? ['X.i', 'X.o', 'X.i', 'X.o'] : [])]

/** `e` may also be what happens outside the loop: a write of a file. */
const WRITTEN = 'a file is written'
const SIMPLE: readonly SimpleEvent[] = EVENTS.map((event) => (event.name === 'c' ? { ...event, calls: [WRITTEN] } : event))
const WITH_WRITES: readonly EventDeclaration[] = DECLARED.map((event) =>
  event.name === 'c' ? { name: 'c', when: 'before', source: { kind: 'set', names: ['file:*'] } } : event,
)

/** `files`: event c is a write of a file. Undefined for a pattern that needs no event. */
export function randomProperty(seed: number, wishes: Wishes, files = false): Property | undefined {
  const declared = property([...PARAMETERS], [...(files ? WITH_WRITES : DECLARED)], randomPattern(new Random(seed), wishes))
  try {
    normalForm(declared, declared.pattern)
    return declared
  } catch (error) {
    if (/needs no event/.test(String(error))) return undefined
    throw error
  }
}

export function randomTypestate(seed: number): Typestate {
  const random = new Random(seed)
  const names = ['S', 'T', 'U'].slice(0, 2 + random.below(2))
  const operations = ['a', 'b', 'c']
  return {
    kind: 'typestate',
    name: 'M',
    parameters: [{ type: '', name: 'p' }],
    events: [],
    confirm: 'violation',
    on: true,
    states: names.map((name, i) => ({
      name,
      transitions: operations
        .filter(() => i === 0 || random.chance(0.6))
        .map((operation) => ({ operations: [operation], to: random.pick(names) })),
    })),
  }
}

/** What a run did that properties may speak of, in its order. */
export const headsOf = ({ trace, order }: LoopRun): number[] => [...order].filter((e) => trace.op[e] === CALL || trace.op[e] === WRITE)

/** The definition, for the events of a run in any order. */
export function obvious(run: LoopRun, heads: readonly number[], files = false): Brute {
  const { trace } = run
  const calls = heads.map((e) => {
    if (trace.op[e] === WRITE) return { task: 0, name: WRITTEN }
    const argument = trace.op[e + 1] === ARGUMENT ? [parseValue(trace.tables.values.textOf(trace.value[e + 1]!))] : []
    return { task: 0, name: trace.targetName(e), target: parseValue(trace.tables.values.textOf(trace.value[e]!)), args: argument }
  })
  return new Brute(calls, files ? SIMPLE : EVENTS, PARAMETERS, (a, b) => run.mayPrecede(heads[a]!, heads[b]!), {
    same: (a, b) => run.sameTask(heads[a]!, heads[b]!),
    other: (a, b) => run.otherTask(heads[a]!, heads[b]!),
  })
}

export interface Predicted {
  readonly prediction: PropertyPrediction
  readonly wanted: Wanted
}

export function predict(run: LoopRun, declaration: Declaration, timers: Timers = 'due'): { coverage: CoverageRow; predicted: Predicted[] } {
  const coverage = new CoverageRow('properties')
  const predicted: Predicted[] = []
  const attempts = { inVain: () => false, note: (prediction: PropertyPrediction, wanted: Wanted) => predicted.push({ prediction, wanted }) }
  const all = [...predictProperties(run, { declarations: [declaration], coverage, timers, command: [], attempts })]
  expect(all.length).toBe(predicted.length)
  return { coverage, predicted }
}

/** What was not looked at, or not decided. */
export function leftOpen(coverage: CoverageRow): number {
  const { unknown, notLookedAt } = totalsOf(coverage)
  return unknown + notLookedAt + (coverage.facts['forgotten'] ?? 0)
}

export interface Shown {
  readonly binding: string
  /** `a0`: call 0 is event a. Sorted. */
  readonly slots: readonly string[]
}

export const ofMatch = (match: Match): Shown => ({
  binding: match.binding.map((v) => (typeof v === 'object' && v !== null ? `#${v.object}` : v === undefined ? '' : String(v))).join(),
  slots: match.slots.map(({ name, call }) => `${name}${call}`).sort(),
})

export const ofSlots = (
  run: LoopRun,
  heads: readonly number[],
  { binding, slots }: { readonly binding: Int32Array; readonly slots: Wanted['slots'] },
): Shown => ({
  binding: [...binding].map((code) => (code === 0 ? '' : run.trace.tables.values.textOf(code))).join(),
  slots: slots.map(({ name, event }) => `${name}${heads.indexOf(event)}`).sort(),
})

export const textOf = ({ binding, slots }: Shown): string => `${binding}: ${slots.join(' ')}`

/** Says `a` no more than `b` does? Then who has seen `a` need not see `b`: rounds of `p*` that can be left out, parameters that they alone bind. */
export function isPart(a: Shown, b: Shown): boolean {
  const [x, y] = [a.binding.split(','), b.binding.split(',')]
  return x.every((value, i) => value === '' || value === y[i]) && a.slots.every((slot) => b.slots.includes(slot))
}

/** What the monitor says of a run must be what the definition says. Gives how many violations there are. */
export function compareMonitor(declared: Property, run: LoopRun, heads: readonly number[], truth: readonly Match[], said: string): number {
  const counts = newMonitorCounts()
  const found = violations(declared, run, Infinity, { counts }).map((v) => ofSlots(run, heads, v))
  const all = truth.map(ofMatch)
  const texts = new Set(all.map(textOf))
  for (const shown of found) expect(texts, said).toContain(textOf(shown))
  for (const one of all) {
    const known = found.some(({ binding }) => isPart({ binding, slots: [] }, one))
    expect(known, `${said}\nmissing ${textOf(one)}`).toBe(true)
  }
  expect(counts).toMatchObject({ dropped: 0, exhausted: false })
  return found.length
}
