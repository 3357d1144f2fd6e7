/**
 * What the generators of traces have in common: procedures, each a fixed body of accesses and nested sections with sites of its own, and tasks that run them in
 * bursts. So a site is executed many times by several tasks, and sees few locks, as in real code.
 */
import type { Random } from '../src/base/random.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { ACQUIRE, BEGIN, END, FORK, JOIN, READ, RELEASE, WRITE } from '../src/trace/ops.ts'
import type { Trace } from '../src/trace/trace.ts'

const ENTER_SECTION = 254
const LEAVE_SECTION = 255

/** One step of a procedure. `what` is the target of an event, or the lock of a section; `skip` is where a section ends. */
export interface Step {
  readonly op: number
  readonly what: number
  readonly site: number
  skip: number
}

export class Procedures {
  readonly bodies: Step[][] = []
  private sites = 0

  /** `location`: what a step under some locks touches. `ordered`: a lock is taken only under locks with smaller numbers. */
  constructor(
    private readonly random: Random,
    private readonly locks: number,
    private readonly location: (held: readonly number[], op: number) => number,
    private readonly ordered = false,
  ) {}

  step(op: number, what: number): Step {
    return { op, what, site: this.sites++, skip: 0 }
  }

  /** Adds accesses to the body, some of them in sections nested up to three deep. */
  fill(body: Step[], length: number, held: readonly number[] = []): void {
    const { random } = this
    for (let i = 0; i < length; i++) {
      if (this.locks > 0 && held.length < 3 && random.chance(0.2)) {
        const lock = random.below(this.locks)
        if (held.includes(lock) || (this.ordered && held.some((h) => h > lock))) continue
        this.section(body, lock, () => this.fill(body, 2 + random.below(6), [...held, lock]))
        continue
      }
      const op = random.chance(0.3) ? WRITE : READ
      body.push(this.step(op, this.location(held, op)))
    }
  }

  /** A section of the lock, with what `inside` adds to the body. */
  section(body: Step[], lock: number, inside: () => void): void {
    const enter = this.step(ENTER_SECTION, lock)
    body.push(enter)
    inside()
    enter.skip = body.length
    body.push(this.step(LEAVE_SECTION, lock))
  }

  nameSites(builder: TraceBuilder): void {
    for (let s = 0; s < this.sites; s++) builder.sites.push(`S${s}`)
  }
}

export interface Running {
  readonly random: Random
  readonly tasks: number
  readonly locks: number
  readonly events: number
  /** The next procedure of a task, at this point of the run (0 to 1). */
  readonly next: (through: number) => readonly Step[]
  /** The target of a step that stands for something of the task's own. */
  readonly own: (task: number, what: number) => number
}

/** Task 0 starts the others and waits for them; in between all run procedures, a burst of steps at a time. */
export function runTasks(builder: TraceBuilder, { random, tasks, locks, events, next, own }: Running): void {
  const body: (readonly Step[])[] = Array.from({ length: tasks }, () => [])
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
    } else add(t, step.op, step.what < 0 ? own(t, step.what) : step.what, step.site)
    return true
  }
  while (line <= events - tasks) {
    const t = random.below(tasks)
    for (let burst = 1 + random.below(24); burst > 0; burst--) {
      if (run(t)) continue
      body[t] = next(line / events)
      at[t] = 0
    }
  }
  for (let t = 0; t < tasks; t++) while (run(t));
  for (let t = 1; t < tasks; t++) add(t, END, -1, -1)
  for (let t = 1; t < tasks; t++) add(0, JOIN, t, -1)
}

/** A builder with tasks and locks that have names. */
export function named(tasks: number, locks: number): TraceBuilder {
  const builder = new TraceBuilder()
  for (let t = 0; t < tasks; t++) builder.tasks.push(`T${t}`)
  for (let l = 0; l < locks; l++) builder.locks.push(`L${l}`)
  return builder
}

export const finished = (builder: TraceBuilder, seed: number): Trace => builder.finish({ source: `generated ${seed}`, branches: false })
