/**
 * Locks made by hand against the truth, on small random programs: enumeration of all orders of the trace before and after, and the program
 * itself, run along what is predicted.
 *
 *   nothing is lost      what is feasible in the recorded trace is feasible with the cell as a lock
 *   nothing is made up   what is feasible with the cell as a lock is a run of the program; where nobody had to wait it is also feasible in the
 *                        recorded trace
 */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { withMadeLocks } from '../../src/causal/made-locks.ts'
import { ACQUIRE, ATOMIC_READ, NOTIFY, RELEASE, UPDATE, isAccess, isRead, isWrite } from '../../src/trace/ops.ts'
import { drawTrace } from '../../src/trace/text.ts'
import { NONE, type EventId, type Trace } from '../../src/trace/trace.ts'
import { validate } from '../../src/trace/validate.ts'
import type { Demands } from '../../src/witness/candidate.ts'
import { sized } from '../layer.ts'
import { explore, replays } from '../oracle/enumerate.ts'
import { Machine, randomProgram, record, type Program, type Seen } from './lock-programs.ts'

const PROGRAMS = sized(200, 2000)

interface Tally {
  programs: number
  locks: number
  contended: number
  asked: number
  feasible: number
  played: number
}

/** Where each event of the new trace stood in the old one. */
function origins(old: Trace, made: Trace): Int32Array {
  const from = new Int32Array(made.eventCount).fill(NONE)
  for (let t = 0; t < made.taskCount; t++) {
    let o = old.taskStart[t]!
    for (let e = made.taskStart[t]!; e < made.taskStart[t + 1]!; e++) {
      const isLock = (made.op[e] === ACQUIRE || made.op[e] === RELEASE) && made.targetName(e).startsWith('L')
      while (old.stamp[o] !== made.stamp[e] || (!isLock && (old.op[o] !== made.op[e] || old.targetName(o) !== made.targetName(e)))) o++
      from[e] = o++
    }
  }
  return from
}

/** Pairs of accesses of data, pairs of takes, and reads or writes between two of another task. */
function questions(trace: Trace, random: Random): Demands[] {
  const none = { before: [], include: [], without: [], either: [] }
  const all = Array.from({ length: trace.eventCount }, (_, e) => e)
  const data = all.filter((e) => isAccess(trace.op[e]!) && !trace.targetName(e).startsWith('L'))
  const takes = all.filter((e) => trace.op[e] === ACQUIRE && trace.targetName(e).startsWith('L'))
  const pairs = [...data.flatMap((a) => data.map((b) => [a, b] as const)), ...takes.flatMap((a) => takes.map((b) => [a, b] as const))]
  const list: Demands[] = pairs.filter(([a, b]) => a < b && trace.taskOf(a) !== trace.taskOf(b)).map((next) => ({ ...none, next }))
  for (let k = 0; k < 12 && data.length > 1; k++) {
    const [a, b, c] = [random.pick(data), random.pick(data), random.pick(data)]
    if (a < b && trace.taskOf(a) === trace.taskOf(b) && trace.taskOf(c) !== trace.taskOf(a))
      list.push({ ...none, next: [b], before: [[a, c]] })
  }
  return list
}

const mapped = (demands: Demands, from: Int32Array): Demands => ({
  ...demands,
  next: demands.next.map((e) => from[e]!),
  before: demands.before.map(([a, b]) => [from[a]!, from[b]!] as const),
})

/** The order in whole steps: each where the event stands that makes it. Steps that the order leaves before that are not taken. */
function inSteps(trace: Trace, order: Int32Array): EventId[] {
  return [...order].flatMap((e) => {
    const t = trace.taskOf(e)
    const step: EventId[] = []
    for (let k = trace.taskStart[t]!; k < trace.taskStart[t + 1]!; k++) if (trace.stamp[k] === trace.stamp[e]) step.push(k)
    const key = [UPDATE, NOTIFY, ATOMIC_READ].map((op) => step.find((k) => trace.op[k] === op)).find((k) => k !== undefined) ?? e
    return key === e ? step : []
  })
}

/** The program along the order: undefined, or what went otherwise. */
function play(program: Program, made: Trace, locks: readonly string[], order: Int32Array, next: readonly EventId[]): string | undefined {
  const machine = new Machine(program)
  const isMade = (seen: Seen): boolean => locks.includes(seen.target.replace('waiters of ', ''))
  /** The next event of the thread as the new trace would have it. */
  const ready: Seen[][] = program.threads.map(() => [])
  const advance = (t: number): Seen | undefined => {
    for (let tries = 0; ready[t]!.length === 0 && tries < 12 && machine.canStep(t); tries++) {
      const events = machine.step(t)
      if (!isMade(events[0]!)) ready[t]!.push(...events)
      else if (events.length === 2 && events[1]!.op === UPDATE && events[0]!.value === 0)
        ready[t]!.push({ op: ACQUIRE, target: events[0]!.target })
      else if (events.at(-1)!.value === 0 && isWrite(events.at(-1)!.op)) ready[t]!.push({ op: RELEASE, target: events[0]!.target })
    }
    return ready[t]!.shift()
  }
  const lastOf = new Map<number, EventId>()
  const steps = inSteps(made, order)
  for (const e of order) lastOf.set(made.taskOf(e), e)
  const ended = new Set(next.map((e) => made.taskOf(e)))
  for (const e of steps) {
    const t = made.taskOf(e)
    const seen = advance(t)
    const free = isRead(made.op[e]!) && lastOf.get(t) === e && !ended.has(t)
    const text = seen && `${seen.op} ${seen.target} ${free || seen.value === undefined ? '' : seen.value}`
    const value = made.tables.values.textOf(made.value[e]!)
    if (text !== `${made.op[e]} ${made.targetName(e)} ${free ? '' : value}`)
      return `${made.eventText(e)} of ${t} came as ${JSON.stringify(seen)}`
  }
  for (const e of next) {
    const t = made.taskOf(e)
    if (ready[t]!.length > 0) return `thread ${t} is in the middle of a step`
    // What belongs to a release that was, or looks at one's own lock, is not in the new trace.
    for (let ask = machine.asks[t]; ask && ask.cell !== made.targetName(e) && locks.includes(ask.cell); ask = machine.asks[t]) {
      if (ask.what !== 'notify' && ask.what !== 'load') break
      machine.step(t)
    }
    if (machine.asks[t]?.cell !== made.targetName(e)) return `thread ${t} does not come to ${made.eventText(e)}`
  }
  return undefined
}

function compare(seed: number, options: Parameters<typeof randomProgram>[1], mostEvents: number, tally: Tally): void {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1))
  const program = randomProgram(random, options)
  const trace = record(program, random, mostEvents)
  if (!trace) return
  tally.programs++
  const made = withMadeLocks(validate(trace), new Int32Array(trace.eventCount))
  if (made.locks.length === 0) return
  const wrong = (what: string, demands?: Demands): Error =>
    new Error(
      `seed ${seed}: ${what}\n${JSON.stringify(demands)}\n${JSON.stringify(program)}\n${drawTrace(trace)}\n${drawTrace(made.trace)}`,
    )
  tally.locks += made.locks.length
  validate(made.trace)
  if (!replays(made.trace, 'maximal', made.trace.recordedOrder()).ok) throw wrong('the recorded order is not feasible any more')
  const from = origins(trace, made.trace)
  // Did anybody see a lock taken? Then the recorded trace is stricter than the program.
  const dropped = trace.eventCount - made.trace.eventCount
  const takes = [...made.trace.op.keys()].filter(
    (e) => made.trace.op[e] === ACQUIRE && made.locks.includes(made.trace.targetName(e)),
  ).length
  const updates = [...made.trace.op.keys()].filter(
    (e) => made.trace.op[e] === RELEASE && made.locks.includes(made.trace.targetName(e)) && trace.op[from[e]!] === ATOMIC_READ,
  ).length
  const contended = dropped > takes + updates
  if (contended) tally.contended++
  const before = explore(trace, 'maximal')
  const after = explore(made.trace, 'maximal')
  for (const demands of questions(made.trace, random)) {
    tally.asked++
    const was = before.feasible(mapped(demands, from))
    const order = after.witness(demands)
    if (was && !order) throw wrong('feasible before, infeasible with locks', demands)
    if (!order) continue
    tally.feasible++
    if (!was && !contended) throw wrong('infeasible before, feasible with locks, and nobody waited', demands)
    const problem = play(program, made.trace, made.locks, order, demands.next)
    if (problem) throw wrong(`the program goes otherwise: ${problem}; order ${order.join(' ')}`, demands)
    tally.played++
  }
}

test.each([
  ['two threads', { nested: true }, 26, 1],
  ['three threads', { threads: 3, parts: 1 }, 26, 1],
  ['three threads, nested', { threads: 3, parts: 1, nested: true }, 30, 0.5],
  ['three threads, strange', { strange: true, threads: 3, parts: 2 }, 26, 6],
  ['two threads, strange', { strange: true, threads: 2, parts: 3, nested: true }, 26, 3],
] as const)(
  'locks made by hand agree with enumeration and with the program: %s',
  (name, options, most, share) => {
    const tally: Tally = { programs: 0, locks: 0, contended: 0, asked: 0, feasible: 0, played: 0 }
    for (let seed = 0; seed < PROGRAMS * share; seed++) compare(seed, options, most, tally)
    console.log(name, JSON.stringify(tally))
    expect(tally.played).toBeGreaterThan(0)
    expect(tally.contended).toBeGreaterThan(0)
  },
  600_000,
)
