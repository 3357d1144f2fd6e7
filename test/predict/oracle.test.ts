/**
 * Every predictor against enumeration on random small traces. What counts as a candidate of each kind is written again here in plain loops, from
 * docs/model.md and the head comments of src/predict/propose, so that a candidate the predictors forget shows.
 */
import { afterAll, expect, test } from 'vitest'
import { predict, type Witnessed } from '../../src/predict/predict.ts'
import {
  ACQUIRE,
  ATOMIC_BEGIN,
  ATOMIC_END,
  ENTER,
  EXIT,
  NOTIFY,
  NOTIFY_ALL,
  TURN_BEGIN,
  TURN_END,
  UPDATE,
  WAKE,
  isAccess,
  isAcquire,
  isRead,
  isRelease,
  isWrite,
} from '../../src/trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../src/trace/trace.ts'
import { type Kind, KINDS } from '../../src/witness/candidate.ts'
import type { Model } from '../../src/trace/model.ts'
import { sized } from '../layer.ts'
import { accepts, allRaces, explore, type Enumeration } from '../oracle/enumerate.ts'
import { handMadeLocks } from '../oracle/hand-made-locks.ts'
import { functionsWithLocks, nestedLocks, waitProgram } from '../oracle/programs.ts'
import { showTrace, shrink } from '../oracle/shrink.ts'
import { modelsOf, traceOf, type Sort } from '../oracle/sorts.ts'
import { totalsOf } from '../adds-up.ts'

/** Those of users have an oracle of their own: test/property-threads. */
const OURS = KINDS.filter((kind) => kind !== 'property' && kind !== 'typestate')

const TRACES = sized(6, 150)
const SORTS: Record<string, Sort['options']> = {
  'nested locks': (seed) => nestedLocks(seed, 'global'),
  'functions with locks': (seed) => functionsWithLocks(seed, 'global'),
  'functions with locks, order of tasks only': (seed) => functionsWithLocks(seed, 'task'),
  'programs that wait': (seed) => waitProgram(seed, 'global'),
  anything: { sites: [2, 4] },
  branches: { branches: true, regions: true, sites: [2, 4] },
  regions: { regions: true, locations: 1, locks: [0, 1], waits: false, events: [8, 14] },
  locks: { locks: [2, 3], locations: 1, tasks: [2, 3], events: [8, 16], waits: false, sites: 2 },
  'mixed nesting': { locks: [1, 2], locations: 1, mixedNesting: true, extras: true, waits: false, events: [8, 14] },
  waits: { locks: [1, 2], signals: [1, 2], locations: 1, tasks: [3, 4], events: [8, 14], sites: 2 },
  'waits with one stamp': { locks: 1, signals: 1, waitStamps: 'shared', events: [8, 14] },
  'order of tasks only': { order: 'task', regions: true, sites: 3 },
  updates: { atomics: 7, turns: true, locations: [1, 2], locks: [0, 1], waits: false, events: [8, 14], sites: [2, 4] },
  'updates, many sites': { atomics: 6, turns: true, locations: 1, locks: [0, 1], waits: false, events: [10, 16], sites: 30 },
  'updates in functions': { atomics: 7, turns: true, regions: true, locations: 1, waits: false, events: [8, 14], sites: 2 },
  'updates, order of tasks only': { order: 'task', atomics: 7, regions: true, locations: 1, locks: [0, 1], waits: false, sites: 3 },
  'hand-made locks': (seed) => handMadeLocks(seed, 'global'),
  'waits that let go of a shared lock': { sharedWaits: true, atomics: 5, locks: 1, signals: 1, locations: 1, tasks: [2, 4], sites: 2 },
}

interface Expected {
  readonly kind: Kind
  readonly pattern: string
  /** Events in some order that says who is who. */
  readonly who: string
  readonly cause: string
}

/** All feasible candidates of a kind. */
function expected(trace: Trace, truth: Enumeration, kind: Kind): Expected[] {
  switch (kind) {
    case 'data-race':
      return allRaces(trace, truth.model, truth).map(([a, b]) => raceOf(trace, a, b))
    case 'atomicity':
      return atomicity(trace, truth)
    case 'order-violation':
      return orderViolations(trace, truth)
    case 'deadlock':
      return [...cycles(trace, truth), ...lostWakeUps(trace, truth)]
    case 'property': // none was asked for
    case 'typestate':
      return []
  }
}

function raceOf(trace: Trace, a: EventId, b: EventId): Expected {
  const ops = [a, b].map((e) => `${trace.op[e]} at ${trace.site[e]}`).sort()
  return { kind: 'data-race', pattern: '', who: [a, b].sort((x, y) => x - y).join(' '), cause: `${trace.target[a]}: ${ops.join(', ')}` }
}

function atomicity(trace: Trace, truth: Enumeration): Expected[] {
  const found: Expected[] = []
  for (let a = 0; a < trace.eventCount; a++) {
    for (let b = a + 1; b < trace.eventCount; b++) {
      if (!isAccess(trace.op[a]!) || !isAccess(trace.op[b]!)) continue
      if (trace.target[a] !== trace.target[b] || trace.taskOf(a) !== trace.taskOf(b)) continue
      if (trace.op[b] === UPDATE && a === b - 1) continue // nothing comes between the halves of an update
      if (regionAround(trace, a, b) === undefined) continue
      const next = trace.op[b] === UPDATE ? b - 1 : b
      for (let c = 0; c < trace.eventCount; c++) {
        if (!isAccess(trace.op[c]!) || trace.target[c] !== trace.target[a] || trace.taskOf(c) === trace.taskOf(a)) continue
        if (!isPattern(trace, a, c, b)) continue
        if (truth.feasible({ next: [next], before: [[a, c]] })) found.push(atomicityOf(trace, a, c, b))
      }
    }
  }
  return found
}

const letters = (trace: Trace, ...events: EventId[]): string => events.map((e) => (isWrite(trace.op[e]!) ? 'W' : 'R')).join('-')

/** R-W-R, R-W-W and W-W-R of neighbouring accesses; W-R-W of neighbouring writes. */
function isPattern(trace: Trace, a: EventId, c: EventId, b: EventId): boolean {
  const pattern = letters(trace, a, c, b)
  if (!['R-W-R', 'R-W-W', 'W-W-R', 'W-R-W'].includes(pattern)) return false
  for (let e = a + 1; e < b; e++) {
    if (!isAccess(trace.op[e]!) || trace.target[e] !== trace.target[a]) continue
    if (pattern !== 'W-R-W' || isWrite(trace.op[e]!)) return false
  }
  return true
}

function atomicityOf(trace: Trace, a: EventId, c: EventId, b: EventId): Expected {
  const pattern = letters(trace, a, c, b)
  const sites = [a, c, b].map((e) => trace.site[e]).join(' ')
  return { kind: 'atomicity', pattern, who: `${a} ${c} ${b}`, cause: `${trace.target[a]} ${pattern} ${sites} ${regionAround(trace, a, b)}` }
}

/** The region that began last among those that hold both: a critical section, a function, a marked region or a turn, by what and name. */
function regionAround(trace: Trace, a: EventId, b: EventId): string | undefined {
  const start = trace.taskStart[trace.taskOf(a)]!
  const end = trace.taskStart[trace.taskOf(a) + 1]!
  for (let begin = a - 1; begin >= start; begin--) {
    const op = trace.op[begin]!
    const target = trace.target[begin]
    const opens = (e: EventId): boolean => trace.op[e] === op && trace.target[e] === target
    if (isAcquire(op)) {
      if (depthBefore(trace, begin, begin) > 0) continue // inner acquires of a re-entrant lock open none
      if (depthAllAlong(trace, begin, b)) return `lock ${target}`
    } else if (op === ENTER || op === ATOMIC_BEGIN) {
      const close = op === ENTER ? EXIT : ATOMIC_END
      let depth = 1
      for (let e = begin + 1; e < Math.min(b, end); e++) {
        if (opens(e)) depth++
        else if (trace.op[e] === close && trace.target[e] === target && --depth === 0) break
      }
      if (depth > 0) return `${op} ${target}`
    } else if (op === TURN_BEGIN) {
      let e = begin + 1
      while (e < b && trace.op[e] !== TURN_BEGIN && trace.op[e] !== TURN_END) e++
      if (e === b) return 'one turn'
    }
  }
  return undefined
}

/** How often the lock of `acquire` is held in its mode by the task just before `event`. */
function depthBefore(trace: Trace, acquire: EventId, event: EventId): number {
  let depth = 0
  for (let e = trace.taskStart[trace.taskOf(acquire)]!; e < event; e++) {
    if (trace.target[e] !== trace.target[acquire]) continue
    if (trace.op[e] === trace.op[acquire]) depth++
    if (trace.op[e] === trace.op[acquire]! + 1 && depth > 0) depth--
  }
  return depth
}

function depthAllAlong(trace: Trace, acquire: EventId, to: EventId): boolean {
  for (let e = acquire + 1; e <= to; e++) if (depthBefore(trace, acquire, e) === 0) return false
  return true
}

/** The write recorded just before a read, and the one just after it, where they are another task's. */
function orderViolations(trace: Trace, truth: Enumeration): Expected[] {
  const found: Expected[] = []
  if (trace.facts.order === 'task') return found
  const order = [...trace.recordedOrder()]
  for (const [i, r] of order.entries()) {
    if (!isRead(trace.op[r]!)) continue
    const writesIt = (e: EventId): boolean => isWrite(trace.op[e]!) && trace.target[e] === trace.target[r]
    const before = order.slice(0, i).findLast(writesIt) ?? NONE
    const after = order.slice(i + 1).find(writesIt) ?? NONE
    const remote = (w: EventId): boolean => w !== NONE && trace.taskOf(w) !== trace.taskOf(r)
    if (remote(before) && truth.feasible({ next: [r], without: [before] })) found.push(orderViolationOf(trace, 'overdue', r, before))
    if (remote(after) && truth.feasible({ next: [r], include: [after] })) found.push(orderViolationOf(trace, 'premature', r, after))
  }
  return found
}

const orderViolationOf = (trace: Trace, pattern: string, r: EventId, w: EventId): Expected => ({
  kind: 'order-violation',
  pattern,
  who: `${r} ${w}`,
  cause: `${pattern} ${trace.target[r]} ${trace.site[r]} ${trace.site[w]}`,
})

/** Sets of acquires of different tasks, each waiting for a lock that the next one's task holds. */
function cycles(trace: Trace, truth: Enumeration): Expected[] {
  const acquires: EventId[] = []
  for (let e = 0; e < trace.eventCount; e++) if (isAcquire(trace.op[e]!) && depthBefore(trace, e, e) === 0) acquires.push(e)
  const waitsFor = (q: EventId, holder: EventId): boolean =>
    holds(trace, holder).some((h) => h.lock === trace.target[q] && (h.exclusive || trace.op[q] === ACQUIRE))
  const found = new Map<string, Expected>()
  const extend = (chain: EventId[]): void => {
    const last = chain.at(-1)!
    if (chain.length > 1 && waitsFor(last, chain[0]!)) {
      const expectation = cycleOf(trace, chain)
      if (!found.has(expectation.who) && truth.feasible({ next: chain })) found.set(expectation.who, expectation)
    }
    for (const q of acquires) {
      if (chain.some((c) => trace.taskOf(c) === trace.taskOf(q)) || !waitsFor(last, q)) continue
      extend([...chain, q])
    }
  }
  for (const q of acquires) extend([q])
  return [...found.values()]
}

const cycleOf = (trace: Trace, acquires: readonly EventId[]): Expected => ({
  kind: 'deadlock',
  pattern: 'cycle',
  who: [...acquires].sort((a, b) => a - b).join(' '),
  cause: acquires
    .map((q) => `${trace.target[q]} at ${trace.site[q]}`)
    .sort()
    .join(', '),
})

/** What the event's task holds just before it. */
function holds(trace: Trace, event: EventId): { lock: number; exclusive: boolean }[] {
  const held: { lock: number; exclusive: boolean }[] = []
  for (let e = trace.taskStart[trace.taskOf(event)]!; e < event; e++) {
    if (isAcquire(trace.op[e]!) && depthBefore(trace, e, event) > 0)
      held.push({ lock: trace.target[e]!, exclusive: trace.op[e] === ACQUIRE })
  }
  return held
}

/** A wake that is next though every notify that need not follow it has come, each before the wait began. */
function lostWakeUps(trace: Trace, truth: Enumeration): Expected[] {
  const found: Expected[] = []
  for (let wake = 1; wake < trace.eventCount; wake++) {
    if (trace.op[wake] !== WAKE || trace.taskStart.includes(wake) || !isRelease(trace.op[wake - 1]!)) continue
    const notifies: EventId[] = []
    for (let n = 0; n < trace.eventCount; n++) {
      if ((trace.op[n] !== NOTIFY && trace.op[n] !== NOTIFY_ALL) || trace.target[n] !== trace.target[wake]) continue
      if (truth.feasible({ include: [n], without: [wake] })) notifies.push(n)
    }
    if (notifies.length === 0) continue
    if (truth.feasible({ next: [wake], before: notifies.map((n) => [n, wake - 1] as const) })) found.push(lostWakeUpOf(trace, wake))
  }
  return found
}

const lostWakeUpOf = (trace: Trace, wake: EventId): Expected => ({
  kind: 'deadlock',
  pattern: 'lost wake-up',
  who: `${wake}`,
  cause: `${trace.target[wake]} at ${trace.site[wake]}`,
})

function asExpected(trace: Trace, { candidate }: Witnessed): Expected {
  const { kind, pattern, events } = candidate
  switch (kind) {
    case 'data-race':
      return raceOf(trace, events[0]!, events[1]!)
    case 'atomicity':
      return atomicityOf(trace, events[0]!, events[1]!, events[2]!)
    case 'order-violation':
      return pattern === 'overdue'
        ? orderViolationOf(trace, pattern, events[0]!, events[1]!)
        : orderViolationOf(trace, pattern, events[1]!, events[0]!)
    case 'deadlock':
      return pattern === 'cycle' ? cycleOf(trace, events) : lostWakeUpOf(trace, candidate.next[0]!)
    case 'property':
    case 'typestate':
      throw new Error('no property was asked for')
  }
}

const named = (e: Expected): string => `${e.kind} ${e.pattern} of ${e.who}`
const caused = (e: Expected): string => `${e.kind} ${e.pattern} by ${e.cause}`
const different = (list: string[]): string[] => [...new Set(list)].sort()

const counts: Record<string, number> = {}
const count = (what: string, by = 1): void => void (counts[what] = (counts[what] ?? 0) + by)

/** What is wrong with the predictions about a trace under a model, or undefined. */
async function wrongAbout(trace: Trace, model: Model): Promise<string | undefined> {
  const truth = explore(trace, model)
  for (const kind of OURS) {
    const all = expected(trace, truth, kind)
    const ungrouped = await predict(trace, { kinds: [kind], model, ungrouped: true })
    if (totalsOf(ungrouped.coverage).unknown > 0) return `${kind}: something unknown`
    for (const { candidate, witness } of ungrouped.predictions) {
      if (!accepts(trace, model, [...witness.order], candidate))
        return `${kind}: enumeration refuses the witness of ${candidate.events.join(' ')}`
    }
    count(kind, all.length)
    count('lost wake-ups', all.filter((e) => e.pattern === 'lost wake-up').length)
    const wrong = unlike(
      ungrouped.predictions.map((p) => named(asExpected(trace, p))),
      all.map(named),
    )
    if (wrong) return `--ungrouped ${wrong}`
    const grouped = await predict(trace, { kinds: [kind], model })
    const causes = grouped.predictions.map((p) => caused(asExpected(trace, p)))
    count(`causes of ${kind}`, causes.length)
    if (new Set(causes).size !== causes.length) return `grouped: a cause twice: ${causes.join('; ')}`
    const wrongCause = unlike(causes, all.map(caused))
    if (wrongCause) return `grouped ${wrongCause}`
  }
  return undefined
}

function unlike(got: string[], want: string[]): string | undefined {
  const [g, w] = [different(got), different(want)]
  const missed = w.filter((x) => !g.includes(x))
  const bogus = g.filter((x) => !w.includes(x))
  if (missed.length + bogus.length === 0) return undefined
  return `missed: ${missed.join('; ') || 'nothing'}, bogus: ${bogus.join('; ') || 'nothing'}`
}

async function wrongInterval(trace: Trace): Promise<string | undefined> {
  const { predictions, model } = await predict(trace, { decider: 'interval', ungrouped: true })
  if (model !== 'sync') return `model ${model}`
  const all = different(expected(trace, explore(trace, 'sync'), 'order-violation').map(named))
  count('by intervals', predictions.length)
  count('by intervals at most', all.length)
  for (const p of predictions) {
    if (!all.includes(named(asExpected(trace, p)))) return `bogus ${named(asExpected(trace, p))}`
    if (!accepts(trace, 'sync', [...p.witness.order], p.candidate)) return `refused witness of ${named(asExpected(trace, p))}`
  }
  return undefined
}

async function fail(trace: Trace, where: string, wrongOf: (t: Trace) => Promise<string | undefined>): Promise<never> {
  const small = await shrink(trace, async (t) => (await wrongOf(t)) !== undefined)
  throw new Error(`${where}: ${await wrongOf(small)}\n${showTrace(small)}`)
}

for (const [sort, options] of Object.entries(SORTS)) {
  test(`predicts exactly what enumeration finds: ${sort}`, async () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const trace = traceOf({ options }, seed)
      count('traces')
      for (const model of modelsOf(trace)) {
        if (await wrongAbout(trace, model)) await fail(trace, `seed ${seed}, ${model}`, (t) => wrongAbout(t, model))
      }
      if (trace.facts.order === 'global' && (await wrongInterval(trace))) await fail(trace, `seed ${seed}, interval`, wrongInterval)
    }
  })
}

afterAll(() => {
  console.log(
    Object.entries(counts)
      .map(([what, n]) => `${what} ${n}`)
      .join(', '),
  )
  for (const kind of OURS) expect(counts[kind], kind).toBeGreaterThan(0)
})
