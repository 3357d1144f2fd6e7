/**
 * The shapes of bench/engine.ts, made of procedures (procedures.ts). Locks are nested up to three deep, in any order but for `few`.
 *
 *   few         64 causes of all kinds together, whatever the length: few-causes.ts
 *   any-order   32 locations without a lock, each with one place that writes and one that reads: 64 causes of data races. Locks are taken in any order and guard what
 *               tasks tell each other, so there are thousands of deadlocks and order violations
 *   many        20 places that race for every 1,000 events: the number of causes grows with the trace, which goes through its procedures in phases
 *   contended   16 tasks on 4 locks; half of all accesses are guarded, one place in fifty forgets the lock
 *   lock-free   as `many`, without a single lock
 */
import { Random } from '../src/base/random.ts'
import { ENTER, EXIT, READ, WRITE } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'
import { fewCauses } from './few-causes.ts'
import { finished, named, Procedures, runTasks, type Step } from './procedures.ts'

export const SHAPES = ['few', 'any-order', 'many', 'contended', 'lock-free'] as const
export type ShapeName = (typeof SHAPES)[number]

interface Plan {
  readonly tasks: number
  readonly locks: number
  /** Locations without a lock, and how many places of the program touch each. */
  readonly racy: number
  readonly placesEach: number
  /** Locations that a lock guards. */
  readonly guarded: number
  readonly procedures: number
  /** Procedures that run at about the same time; those of one racy location are among them. Unless said: all. */
  readonly phase?: number
  /** Places that forget the lock of a guarded location. */
  readonly forgetful: number
}

export const traceOf = (name: ShapeName, seed: number, events: number, racingPer1000?: number): Trace =>
  name === 'few' ? fewCauses(seed, events) : shaped(seed, planOf(name, events, racingPer1000), events)

export function planOf(name: Exclude<ShapeName, 'few'>, events: number, racingPer1000 = 20): Plan {
  // Not every place gets to race: some are never run, some are ordered by what their tasks do under locks.
  const places = Math.max(10, Math.round((racingPer1000 * (name === 'many' ? 1.5 : 1) * events) / 1000))
  const many = { tasks: 8, racy: Math.ceil(places / 10), placesEach: 10, procedures: Math.ceil(places / 2), phase: 24, forgetful: 0 }
  switch (name) {
    case 'any-order':
      return { tasks: 8, locks: 64, racy: 32, placesEach: 2, guarded: 2000, procedures: 400, forgetful: 0 }
    case 'many':
      return { ...many, locks: 64, guarded: 2000 }
    case 'contended':
      return { tasks: 16, locks: 4, racy: 32, placesEach: 2, guarded: 200, procedures: 200, forgetful: 32 }
    case 'lock-free':
      return { ...many, locks: 0, guarded: 0 }
  }
}

const PRIVATE = -2
/** Private locations of each task. */
const OWN = 500

export function shaped(seed: number, plan: Plan, events: number): Trace {
  const random = new Random(seed)
  const { tasks, locks, racy, guarded, phase = plan.procedures } = plan
  const builder = named(tasks, locks)
  for (let x = 0; x < racy; x++) builder.locations.push(`R${x}`)
  for (let x = 0; x < guarded; x++) builder.locations.push(`G${x}`)
  for (let t = 0; t < tasks; t++) for (let x = 0; x < OWN; x++) builder.locations.push(`P${t}.${x}`)
  /** The procedures that run at this point, from 0 to 1. */
  const about = (through: number): number => {
    const at = Math.floor(through * (plan.procedures - phase)) + random.below(phase)
    return Math.max(0, Math.min(plan.procedures - 1, at))
  }
  const procedures = new Procedures(random, locks, (held) => {
    if (held.length === 0 || random.chance(0.3)) return PRIVATE
    const lock = held[random.below(held.length)]!
    return racy + ((lock + locks * random.below(Math.floor(guarded / locks))) % guarded)
  })
  /** Racing places, dealt to procedures of one phase at random, each one or two accesses. The first place of a location writes. */
  const racing: Step[][][] = Array.from({ length: plan.procedures }, () => [])
  const deal = (through: number, steps: Step[]): void => void racing[about(through)]!.push(steps)
  for (let x = 0; x < racy; x++) {
    for (let k = 0; k < plan.placesEach; k++) {
      const writes = k === 0 || (plan.placesEach > 2 && random.chance(0.3))
      // One place in three looks before it writes: two accesses of one procedure that belong together.
      const looks = writes && k > 0 && random.chance(0.3)
      deal(
        x / racy,
        [...(looks ? [READ] : []), writes ? WRITE : READ].map((op) => procedures.step(op, x)),
      )
    }
  }
  for (let k = 0; k < plan.forgetful; k++) deal(0, [procedures.step(random.chance(0.3) ? WRITE : READ, racy + random.below(guarded))])
  procedures.bodies.push(
    ...racing.map((places, p) => {
      builder.names.push(`f${p}`)
      const body = [procedures.step(ENTER, p)]
      procedures.fill(body, 4 + random.below(12))
      for (const place of places) {
        procedures.fill(body, 2 + random.below(6))
        body.push(...place)
      }
      body.push(procedures.step(EXIT, p))
      return body
    }),
  )
  procedures.nameSites(builder)
  runTasks(builder, {
    random,
    tasks,
    locks,
    events,
    next: (through) => procedures.bodies[about(through)]!,
    own: (t) => racy + guarded + t * OWN + random.below(OWN),
  })
  return finished(builder, seed)
}

/** Three places that race over and over: four tasks repeat one procedure that reads, writes and reads one location. About two pairs for each event. */
export function repeated(seed: number, events: number): Trace {
  const random = new Random(seed)
  const [tasks, locks] = [4, 1]
  const builder = named(tasks, locks)
  builder.locations.push('x')
  for (let t = 0; t < tasks; t++) builder.locations.push(`P${t}`)
  const procedures = new Procedures(random, locks, () => PRIVATE)
  const body = [procedures.step(READ, 0), procedures.step(WRITE, 0)]
  procedures.fill(body, 4)
  body.push(procedures.step(READ, 0))
  procedures.nameSites(builder)
  runTasks(builder, { random, tasks, locks, events, next: () => body, own: (t) => 1 + t })
  return finished(builder, seed)
}
