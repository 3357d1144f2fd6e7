/**
 * The four shapes of bench/engine.ts. A seeded "program" of procedures is made first, each a fixed body of accesses and sections with sites of its own;
 * then tasks run procedures in bursts, so that a site is executed many times by several tasks, as in real code.
 *
 *   few         32 locations without a lock, each with one place that writes and one that reads: 64 causes of data races whatever the length (guarded locations add order violations)
 *   many        20 racing places for every 1,000 events, ten to a location: the number of causes grows with the trace
 *   contended   16 tasks on 4 locks; half of all accesses are guarded, one place in fifty forgets the lock
 *   lock-free   as `many`, without a single lock
 */
import { Random } from '../src/base/random.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { ACQUIRE, BEGIN, END, ENTER, EXIT, FORK, JOIN, READ, RELEASE, WRITE } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'

export const SHAPES = ['few', 'many', 'contended', 'lock-free'] as const
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
  /** Places that forget the lock of a guarded location. */
  readonly forgetful: number
}

export function planOf(name: ShapeName, events: number, racingPer1000 = 20): Plan {
  const racing = Math.max(10, Math.round((racingPer1000 * events) / 1000))
  switch (name) {
    case 'few':
      return { tasks: 8, locks: 64, racy: 32, placesEach: 2, guarded: 2000, procedures: 400, forgetful: 0 }
    case 'many':
      return { tasks: 8, locks: 64, racy: Math.ceil(racing / 10), placesEach: 10, guarded: 2000, procedures: racing, forgetful: 0 }
    case 'contended':
      return { tasks: 16, locks: 4, racy: 32, placesEach: 2, guarded: 200, procedures: 200, forgetful: 32 }
    case 'lock-free':
      return { tasks: 8, locks: 0, racy: Math.ceil(racing / 10), placesEach: 10, guarded: 0, procedures: racing, forgetful: 0 }
  }
}

const PRIVATE = -2
const ENTER_SECTION = 254
const LEAVE_SECTION = 255
/** Private locations of each task. */
const OWN = 500

interface Step {
  readonly op: number
  readonly what: number
  readonly site: number
  skip: number
}

export function shaped(seed: number, plan: Plan, events: number): Trace {
  const random = new Random(seed)
  const builder = new TraceBuilder()
  const { tasks, locks, racy, guarded } = plan
  for (let t = 0; t < tasks; t++) builder.tasks.push(`T${t}`)
  for (let l = 0; l < locks; l++) builder.locks.push(`L${l}`)
  for (let x = 0; x < racy; x++) builder.locations.push(`R${x}`)
  for (let x = 0; x < guarded; x++) builder.locations.push(`G${x}`)
  for (let t = 0; t < tasks; t++) for (let x = 0; x < OWN; x++) builder.locations.push(`P${t}.${x}`)
  let sites = 0
  /** Racing places, dealt to procedures at random, each one or two accesses. The first place of a location writes. */
  const racing: Step[][][] = Array.from({ length: plan.procedures }, () => [])
  const deal = (steps: Step[]): void => void racing[random.below(plan.procedures)]!.push(steps)
  for (let x = 0; x < racy; x++) {
    for (let k = 0; k < plan.placesEach; k++) {
      const writes = k === 0 || (plan.placesEach > 2 && random.chance(0.3))
      // One place in three looks before it writes: two accesses of one procedure that belong together.
      const looks = writes && k > 0 && random.chance(0.3)
      deal([...(looks ? [READ] : []), writes ? WRITE : READ].map((op) => ({ op, what: x, site: sites++, skip: 0 })))
    }
  }
  for (let k = 0; k < plan.forgetful; k++)
    deal([{ op: random.chance(0.3) ? WRITE : READ, what: racy + random.below(guarded), site: sites++, skip: 0 }])
  const procedures = racing.map((places, p) => {
    builder.names.push(`f${p}`)
    const steps: Step[] = [{ op: ENTER, what: p, site: sites++, skip: 0 }]
    const fill = (held: readonly number[], length: number): void => {
      for (let i = 0; i < length; i++) {
        if (locks > 0 && held.length < 2 && random.chance(0.2)) {
          const lock = random.below(locks)
          // Nested sections keep one order of locks, as programs do; one in fifty does not.
          if (held.includes(lock) || (held.some((h) => h > lock) && !random.chance(0.02))) continue
          const enter: Step = { op: ENTER_SECTION, what: lock, site: sites++, skip: 0 }
          steps.push(enter)
          fill([...held, lock], 2 + random.below(6))
          enter.skip = steps.length
          steps.push({ op: LEAVE_SECTION, what: lock, site: sites++, skip: 0 })
          continue
        }
        let what = PRIVATE
        if (held.length > 0 && random.chance(0.7)) {
          const lock = held[random.below(held.length)]!
          what = racy + ((lock + locks * random.below(Math.floor(guarded / locks))) % guarded)
        }
        steps.push({ op: random.chance(0.3) ? WRITE : READ, what, site: sites++, skip: 0 })
      }
    }
    fill([], 4 + random.below(12))
    for (const place of places) {
      fill([], 2 + random.below(6))
      steps.push(...place)
    }
    steps.push({ op: EXIT, what: p, site: sites++, skip: 0 })
    return steps
  })
  for (let s = 0; s < sites; s++) builder.sites.push(`S${s}`)

  const body: Step[][] = Array.from({ length: tasks }, () => [])
  const at = new Int32Array(tasks)
  const owner = new Int8Array(Math.max(1, locks)).fill(-1)
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
    } else if (step.what === PRIVATE) add(t, step.op, racy + guarded + t * OWN + random.below(OWN), step.site)
    else add(t, step.op, step.what, step.site)
    return true
  }
  while (line <= events - tasks) {
    const t = random.below(tasks)
    for (let burst = 1 + random.below(24); burst > 0; burst--) {
      if (run(t)) continue
      body[t] = procedures[random.below(procedures.length)]!
      at[t] = 0
    }
  }
  for (let t = 0; t < tasks; t++) while (run(t));
  for (let t = 1; t < tasks; t++) add(t, END, -1, -1)
  for (let t = 1; t < tasks; t++) add(0, JOIN, t, -1)
  return builder.finish({ source: `generated ${seed}`, branches: false })
}
