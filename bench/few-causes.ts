/**
 * A long trace with 64 causes of all kinds together, whatever its length. Locks are nested in one order. What they guard is read by all and written by nobody, or
 * written by all and read by nobody, because a location that one task reads and another writes is an order violation whatever guards it. Beside that there are
 *
 *   8 locations without a lock, each with one place that writes and one that reads: 16 data races, 16 order violations
 *   4 locations that one procedure reads in two sections of their lock and another writes in one: 4 atomicity violations, 16 order violations
 *   12 pairs of procedures that take two locks in opposite orders: 12 deadlocks
 */
import { Random } from '../src/base/random.ts'
import { ENTER, EXIT, READ, WRITE } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'
import { finished, named, Procedures, runTasks, type Step } from './procedures.ts'

const TASKS = 8
const LOCKS = 64
/** Pairs of locks that are taken in both orders come after the others. */
const PAIRS = 12
const RACY = 8
const TWICE = 4
const SETTINGS = 1000
const LOGS = 1000
const PROCEDURES = 64
const OWN = 500
const PRIVATE = -2

export function fewCauses(seed: number, events: number): Trace {
  const random = new Random(seed)
  const builder = named(TASKS, LOCKS + 2 * PAIRS)
  const locations = (name: string, count: number): number => {
    const first = builder.locations.size
    for (let x = 0; x < count; x++) builder.locations.push(`${name}${x}`)
    return first
  }
  const racy = locations('R', RACY)
  const twice = locations('T', TWICE)
  const settings = locations('S', SETTINGS)
  const logs = locations('L', LOGS)
  const own = locations('P', TASKS * OWN)
  const guardedBy = (lock: number, count: number): number => (lock + LOCKS * random.below(Math.floor(count / LOCKS))) % count
  const procedures = new Procedures(
    random,
    LOCKS,
    (held, op) => {
      if (held.length === 0 || random.chance(0.3)) return PRIVATE
      const lock = held[random.below(held.length)]!
      return op === READ ? settings + guardedBy(lock, SETTINGS) : logs + guardedBy(lock, LOGS)
    },
    true,
  )
  const special: ((body: Step[]) => void)[] = []
  for (let i = 0; i < RACY; i++) for (const op of [WRITE, READ]) special.push((body) => void body.push(procedures.step(op, racy + i)))
  for (let i = 0; i < TWICE; i++) {
    for (const ops of [[READ, READ], [WRITE]])
      special.push((body) => {
        for (const op of ops) procedures.section(body, i, () => void body.push(procedures.step(op, twice + i)))
      })
  }
  for (let i = 0; i < PAIRS; i++) {
    const [a, b] = [LOCKS + 2 * i, LOCKS + 2 * i + 1]
    for (const [outer, inner] of [
      [a, b],
      [b, a],
    ] as const)
      special.push((body) =>
        procedures.section(body, outer, () => procedures.section(body, inner, () => void body.push(procedures.step(READ, PRIVATE)))),
      )
  }
  for (let p = 0; p < PROCEDURES; p++) {
    builder.names.push(`f${p}`)
    const body = [procedures.step(ENTER, p)]
    procedures.fill(body, 4 + random.below(12))
    special[p]?.(body)
    procedures.fill(body, 2 + random.below(6))
    body.push(procedures.step(EXIT, p))
    procedures.bodies.push(body)
  }
  procedures.nameSites(builder)
  runTasks(builder, {
    random,
    tasks: TASKS,
    locks: LOCKS + 2 * PAIRS,
    events,
    next: () => procedures.bodies[random.below(PROCEDURES)]!,
    own: (t) => own + t * OWN + random.below(OWN),
  })
  return finished(builder, seed)
}
