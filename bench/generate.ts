/**
 * Long traces that look like those of programs: a seeded "program" of procedures is made first, each a fixed body of accesses and nested
 * lock sections with fixed sites; then tasks run procedures in bursts. So a site sees few locks, as in real code, most locations belong to
 * one task, some are guarded by a lock (and a few places forget it), and some are hot.
 */
import { Random } from '../src/base/random.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { ACQUIRE, BEGIN, END, FORK, JOIN, READ, RELEASE, WRITE } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'

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
const ENTER_SECTION = 254
const LEAVE_SECTION = 255

/** One step of a procedure. `what` is a location, PRIVATE, or the lock of a section; `skip` is where a section ends. */
interface Step {
  readonly op: number
  readonly what: number
  readonly site: number
  skip: number
}

export function generate(seed: number, shape: Shape): Trace {
  const random = new Random(seed)
  const builder = new TraceBuilder()
  const { tasks, locks, locations, hot } = shape
  for (let t = 0; t < tasks; t++) builder.tasks.push(`T${t}`)
  for (let l = 0; l < locks; l++) builder.locks.push(`L${l}`)
  for (let x = 0; x < locations; x++) builder.locations.push(`V${x}`)
  const guarded = Math.floor(locations / 10)
  const own = Math.floor((locations - hot - guarded) / tasks)
  let sites = 0
  const procedures = Array.from({ length: shape.procedures }, () => {
    const steps: Step[] = []
    const fill = (held: readonly number[], length: number): void => {
      for (let i = 0; i < length; i++) {
        if (held.length < 3 && random.chance(0.2)) {
          const lock = random.below(locks)
          if (held.includes(lock)) continue
          const enter: Step = { op: ENTER_SECTION, what: lock, site: sites++, skip: 0 }
          steps.push(enter)
          fill([...held, lock], 2 + random.below(6))
          enter.skip = steps.length
          steps.push({ op: LEAVE_SECTION, what: lock, site: sites++, skip: 0 })
          continue
        }
        const op = random.chance(0.3) ? WRITE : READ
        let what = PRIVATE
        const kind = random.next()
        if (kind < 0.05) what = random.below(hot)
        // Guarded locations are dealt to locks; one access in fifty forgets the lock.
        else if (held.length > 0 ? kind < 0.7 : kind < 0.06) {
          const lock = held.length > 0 ? held[random.below(held.length)]! : random.below(locks)
          what = hot + ((lock + locks * random.below(Math.floor(guarded / locks))) % guarded)
        }
        steps.push({ op, what, site: sites++, skip: 0 })
      }
    }
    fill([], 8 + random.below(30))
    return steps
  })
  for (let s = 0; s < sites; s++) builder.sites.push(`S${s}`)

  const first = (t: number): number => hot + guarded + t * own
  const body: Step[][] = Array.from({ length: tasks }, () => [])
  const at = new Int32Array(tasks)
  const near = Int32Array.from({ length: tasks }, (_, t) => first(t))
  const owner = new Int8Array(locks).fill(-1)
  let line = 1
  const add = (task: number, op: number, target: number, site: number): void => builder.add(task, op, target, 0, site, line++)
  add(0, BEGIN, -1, -1)
  for (let t = 1; t < tasks; t++) add(0, FORK, t, -1)
  for (let t = 1; t < tasks; t++) add(t, BEGIN, -1, -1)
  const run = (t: number): boolean => {
    const step = body[t]![at[t]!]
    if (!step) return false
    at[t]!++
    if (step.op === ENTER_SECTION) {
      // A section whose lock is taken is left out, as by a tryLock: so that no order of locks can get the generator stuck.
      if (owner[step.what] !== -1) at[t] = step.skip + 1
      else {
        owner[step.what] = t
        add(t, ACQUIRE, step.what, step.site)
      }
    } else if (step.op === LEAVE_SECTION) {
      owner[step.what] = -1
      add(t, RELEASE, step.what, step.site)
    } else if (step.what === PRIVATE) {
      if (random.chance(0.1)) near[t] = first(t) + random.below(own)
      add(t, step.op, near[t]!, step.site)
    } else add(t, step.op, step.what, step.site)
    return true
  }
  while (line <= shape.events - tasks) {
    const t = random.below(tasks)
    for (let burst = 1 + random.below(24); burst > 0; burst--) {
      if (run(t)) continue
      body[t] = procedures[Math.floor(random.next() * random.next() * procedures.length)]!
      at[t] = 0
    }
  }
  for (let t = 0; t < tasks; t++) while (run(t));
  for (let t = 1; t < tasks; t++) add(t, END, -1, -1)
  for (let t = 1; t < tasks; t++) add(0, JOIN, t, -1)
  return builder.finish({ source: `generated ${seed}`, branches: false })
}

/** The opposite: no program at all. Any task touches any location at any of `sites` sites, under up to three of the locks. */
export function scatter(seed: number, { events, tasks, locks, locations }: Shape, sites = 1000): Trace {
  const random = new Random(seed)
  const builder = new TraceBuilder()
  for (let t = 0; t < tasks; t++) builder.tasks.push(`T${t}`)
  for (let l = 0; l < locks; l++) builder.locks.push(`L${l}`)
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
