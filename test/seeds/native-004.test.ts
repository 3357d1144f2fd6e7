/**
 * Seed 004, Table 1, first block: small C programs (test/programs/seed-004) rebuilt from the paper. Each is drawn in its head. Here the drawing has the
 * counts of its row, our answers on it are those of the columns, and exactly those of brute force; and the program, compiled and recorded, has that
 * trace and the same races.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import { FORK, JOIN, NOTIFY, WAKE, isAccess, isAcquire, isRead, isRelease } from '../../src/trace/ops.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import type { Model } from '../../src/trace/model.ts'
import { Checker } from '../../src/witness/check.ts'
import { allRaces, conflictingPairs } from '../oracle/enumerate.ts'
import { cpRaces } from './causally-precedes.ts'
import { noNative, Workshop } from './native-programs.ts'
import { drawn, sourceOf, TABLE } from './table-004.ts'
import { totalsOf } from '../adds-up.ts'

/** Pairs of event numbers, each with a witness that the checker accepts. */
async function races(trace: Trace, model: Model): Promise<string[]> {
  const found = await predict(trace, { kinds: ['data-race'], model, ungrouped: true })
  expect(totalsOf(found.coverage).unknown).toBe(0)
  const checker = new Checker(trace, found.model)
  for (const { candidate, witness } of found.predictions) expect(checker.check(candidate, witness.order)).toBeUndefined()
  return pairs(found.predictions.map(({ candidate }) => candidate.events))
}

const pairs = (events: Iterable<readonly EventId[]>): string[] => [...events].map((pair) => pair.toSorted((a, b) => a - b).join(' ')).sort()

const count = (trace: Trace, which: (op: number) => boolean): number => trace.op.reduce((n, op) => n + (which(op) ? 1 : 0), 0)

function locksAt(trace: Trace, e: EventId): Set<number> {
  const held = new Set<number>()
  for (let i = trace.taskStart[trace.taskOf(e)]!; i < e; i++) {
    if (isAcquire(trace.op[i]!)) held.add(trace.target[i]!)
    if (isRelease(trace.op[i]!)) held.delete(trace.target[i]!)
  }
  return held
}

const underNoCommonLock = (trace: Trace): number =>
  conflictingPairs(trace).filter(([a, b]) => {
    const others = locksAt(trace, b)
    return ![...locksAt(trace, a)].some((lock) => others.has(lock))
  }).length

describe.each(TABLE)('$name', (row) => {
  const trace = drawn(row.name)

  it('has the counts of its row', () => {
    const { threads, locks, conditions, variables, lockEvents, conditionEvents, reads, writes } = row
    expect({
      threads: trace.taskCount,
      locks: trace.tables.locks.size,
      conditions: trace.tables.signals.size,
      variables: trace.tables.locations.size,
      events: trace.eventCount + 2 * threads + locks + conditions,
      lockEvents: count(trace, (op) => isAcquire(op) || isRelease(op)),
      conditionEvents: count(trace, (op) => op === NOTIFY || op === WAKE),
      reads: count(trace, (op) => isAccess(op) && isRead(op)),
      writes: count(trace, (op) => isAccess(op) && !isRead(op)),
    }).toEqual({ threads, locks, conditions, variables, events: row.events, lockEvents, conditionEvents, reads, writes })
  })

  it("has the paper's races", async () => {
    expect(underNoCommonLock(trace)).toBe(row.potential)
    expect(await races(trace, 'sync')).toHaveLength(row.ucg)
    expect(await races(trace, 'data')).toHaveLength(row.poly)
    expect(cpRaces(trace)).toHaveLength(row.cp)
  })

  it('and so has brute force, which also knows no more by the values', async () => {
    for (const model of ['data', 'maximal'] as const) {
      const real = pairs(allRaces(trace, model))
      expect(await races(trace, model)).toEqual(real)
      expect(real).toHaveLength(row.poly)
    }
  })
})

/** Where the machine has mixed the threads up, the run is another one than that drawn: it is recorded again. */
const ATTEMPTS = 20

describe.skipIf(noNative !== '')(`compiled and recorded ${noNative}`, () => {
  const workshop = new Workshop()
  afterAll(() => workshop.close())

  it.concurrent.each(TABLE)('$name is the trace drawn, and has its races', async (row) => {
    const program = workshop.build(sourceOf(row.name))
    const picture = drawn(row.name)
    let { trace } = await workshop.record(program, workshop.folder)
    for (let left = ATTEMPTS; left > 0 && said(trace) !== said(picture); left--)
      trace = (await workshop.record(program, workshop.folder)).trace
    expect(said(trace)).toBe(said(picture))
    const found = await races(trace, 'maximal')
    expect(found).toEqual(pairs(allRaces(trace, 'maximal')))
    expect(named(trace, found)).toEqual(named(picture, await races(picture, 'maximal')))
  })
})

/** From the first thread that is made on, and of what more than one thread touches: the rest is not recorded. */
function said(trace: Trace): string {
  const events = Array.from({ length: trace.taskCount }, (_, t) => toldBy(trace, t))
  const owners = new Map<string, Set<number>>()
  for (const e of events.flat()) owners.set(thing(trace, e), (owners.get(thing(trace, e)) ?? new Set()).add(trace.taskOf(e)))
  const isShared = (e: EventId): boolean => !(isAccess(trace.op[e]!) || trace.op[e] === NOTIFY) || owners.get(thing(trace, e))!.size > 1
  return events
    .map(
      (own, t) =>
        `${task(trace.taskName(t))}: ${own
          .filter(isShared)
          .map((e) => task(trace.eventText(e)))
          .join(' ')}`,
    )
    .join('\n')
}

const thing = (trace: Trace, e: EventId): string => `${isAccess(trace.op[e]!)} ${trace.targetName(e)}`

function toldBy(trace: Trace, t: number): EventId[] {
  const all = Array.from({ length: trace.taskStart[t + 1]! - trace.taskStart[t]! }, (_, i) => trace.taskStart[t]! + i)
  const kept = all.filter((e) => isTold(trace.op[e]!))
  return t === 0 ? kept.slice(kept.findIndex((e) => trace.op[e] === FORK)) : kept
}

const isTold = (op: number): boolean =>
  isAccess(op) || isAcquire(op) || isRelease(op) || op === FORK || op === JOIN || op === NOTIFY || op === WAKE

const task = (text: string): string => text.replace(/thread (\d+)/, 'T$1')

/** Races by what each thread does, in words that do not depend on other events. */
const named = (trace: Trace, found: readonly string[]): string[] =>
  found
    .map((pair) =>
      pair
        .split(' ')
        .map((e) => `${task(trace.taskName(trace.taskOf(Number(e))))} ${trace.eventText(Number(e))}`)
        .sort()
        .join(', '),
    )
    .sort()
