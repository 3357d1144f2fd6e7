/**
 * Long traces that look like those of programs (procedures.ts): most locations belong to one task, some are guarded by a lock (and a few places forget it), and
 * some are hot.
 */
import { Random } from '../src/base/random.ts'
import { ACQUIRE, FORK, READ, RELEASE, WRITE } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'
import { finished, named, Procedures, runTasks, type Step } from './procedures.ts'

export interface Shape {
  readonly events: number
  readonly tasks: number
  readonly locks: number
  readonly locations: number
  readonly procedures: number
  /** Unguarded locations that all tasks use. */
  readonly hot: number
}

export const SHAPE: Shape = { events: 0, tasks: 8, locks: 64, locations: 20_000, procedures: 400, hot: 200 }

const PRIVATE = -2

export function generate(seed: number, shape: Shape): Trace {
  const random = new Random(seed)
  const { tasks, locks, locations, hot } = shape
  const builder = named(tasks, locks)
  for (let x = 0; x < locations; x++) builder.locations.push(`V${x}`)
  const guarded = Math.floor(locations / 10)
  const own = Math.floor((locations - hot - guarded) / tasks)
  const procedures = new Procedures(random, locks, (held) => {
    const kind = random.next()
    if (kind < 0.05) return random.below(hot)
    // Guarded locations are dealt to locks; one access in fifty forgets the lock.
    if (held.length > 0 ? kind >= 0.7 : kind >= 0.06) return PRIVATE
    const lock = held.length > 0 ? held[random.below(held.length)]! : random.below(locks)
    return hot + ((lock + locks * random.below(Math.floor(guarded / locks))) % guarded)
  })
  for (let p = 0; p < shape.procedures; p++) {
    const body: Step[] = []
    procedures.fill(body, 8 + random.below(30))
    procedures.bodies.push(body)
  }
  procedures.nameSites(builder)
  const first = (t: number): number => hot + guarded + t * own
  const near = Int32Array.from({ length: tasks }, (_, t) => first(t))
  runTasks(builder, {
    random,
    tasks,
    locks,
    events: shape.events,
    next: () => procedures.bodies[Math.floor(random.next() * random.next() * shape.procedures)]!,
    own: (t) => {
      if (random.chance(0.1)) near[t] = first(t) + random.below(own)
      return near[t]!
    },
  })
  return finished(builder, seed)
}

/** The opposite: no program at all. Any task touches any location at any of `sites` sites, under up to three of the locks. */
export function scatter(seed: number, { events, tasks, locks, locations }: Shape, sites = 1000): Trace {
  const random = new Random(seed)
  const builder = named(tasks, locks)
  for (let x = 0; x < locations; x++) builder.locations.push(`V${x}`)
  for (let s = 0; s < sites; s++) builder.sites.push(`S${s}`)
  const held: number[][] = Array.from({ length: tasks }, () => [])
  const taken = new Uint8Array(locks)
  for (let t = 1; t < tasks; t++) builder.add(0, FORK, t, 0, -1, t)
  for (let line = tasks; line < events; line++) {
    const t = random.below(tasks)
    const what = random.next()
    const lock = random.below(locks)
    const add = (op: number, target: number): void => builder.add(t, op, target, 0, random.below(sites), line)
    if (what < 0.1 && held[t]!.length < 3 && taken[lock] === 0) {
      taken[lock] = 1
      held[t]!.push(lock)
      add(ACQUIRE, lock)
    } else if (what < 0.2 && held[t]!.length > 0) {
      const last = held[t]!.pop()!
      taken[last] = 0
      add(RELEASE, last)
    } else add(random.chance(0.3) ? WRITE : READ, random.below(locations))
  }
  return builder.finish({ source: `scattered ${seed}`, branches: false })
}
