/**
 * Random programs of a given shape, where chance alone would seldom make one: each task's events are drawn, and a run of them is taken at
 * random. What of the program did not get to run is not recorded.
 */
import { Random } from '../../src/base/random.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ENTER,
  EXIT,
  NOTIFY,
  NOTIFY_ALL,
  READ,
  RELEASE,
  RELEASE_SHARED,
  WAKE,
  WRITE,
} from '../../src/trace/ops.ts'
import type { OrderKind, Trace } from '../../src/trace/trace.ts'
import { NOT_OBSERVED } from '../../src/trace/values.ts'
import { randomReordering } from './enumerate.ts'

type Step = readonly [op: number, target: number]

const NAMES = { locations: ['x', 'y'], locks: ['l1', 'l2', 'l3'], signals: ['g'], names: ['f'], sites: ['site1', 'site2'] } as const

function build(tasks: readonly (readonly Step[])[], random: Random, order: OrderKind): Trace {
  const builder = new TraceBuilder()
  for (const [table, names] of Object.entries(NAMES)) for (const name of names) builder[table as keyof typeof NAMES].intern(name)
  for (const [t, steps] of tasks.entries()) {
    builder.task(`t${t + 1}`)
    for (const [i, [op, target]] of steps.entries()) builder.add(t, op, target, NOT_OBSERVED, random.below(2), i)
  }
  return builder.finish({ source: 'program', order })
}

/** One run of the tasks; with order `task`, the tasks as they are, whether or not all of it can run. */
function runOf(tasks: readonly (readonly Step[])[], random: Random, order: OrderKind): Trace {
  const program = build(tasks, random, 'task')
  if (order === 'task') return program
  const builder = new TraceBuilder()
  for (const [table, names] of Object.entries(NAMES)) for (const name of names) builder[table as keyof typeof NAMES].intern(name)
  for (let t = 0; t < program.taskCount; t++) builder.task(program.taskName(t))
  for (const e of randomReordering(program, 'sync', random, program.eventCount)) {
    builder.add(program.taskOf(e), program.op[e]!, program.target[e]!, NOT_OBSERVED, program.site[e]!)
  }
  return builder.finish({ source: 'program', order })
}

/** Two or three tasks that wait for one signal, with and without a lock, and one or two that notify. */
export function waitProgram(seed: number, order: OrderKind): Trace {
  const random = new Random(Math.imul(seed + 1, 0x2545f491))
  const waiter = (): Step[] => {
    if (random.chance(0.2)) return [[WAKE, 0]]
    const wait: Step[] = [
      [ACQUIRE, 0],
      [RELEASE, 0],
      [WAKE, 0],
    ]
    if (random.chance(0.3)) return wait
    if (random.chance(0.2)) return [...wait, [ACQUIRE, 0], [RELEASE, 0], [WAKE, 0]]
    return [...wait, [ACQUIRE, 0], [RELEASE, 0]]
  }
  const notifier = (): Step[] => {
    const steps: Step[] = []
    for (let i = 1 + random.below(2); i >= 0; i--) {
      const notify: Step = [random.chance(0.2) ? NOTIFY_ALL : NOTIFY, 0]
      steps.push(...(random.chance(0.2) ? ([[ACQUIRE, 0], notify, [RELEASE, 0]] as const) : [notify]))
    }
    if (random.chance(0.3)) steps.push([random.chance(0.5) ? READ : WRITE, 0])
    return steps
  }
  const waiters = Array.from({ length: 2 + random.below(2) }, waiter)
  const notifiers = Array.from({ length: waiters.length > 2 ? 1 : 1 + random.below(2) }, notifier)
  return runOf([...waiters, ...notifiers], random, order)
}

/** Two to four tasks, each with one or two nests of locks: much that could deadlock. */
export function nestedLocks(seed: number, order: OrderKind): Trace {
  const random = new Random(Math.imul(seed + 1, 0x2545f491))
  const few = random.chance(0.6)
  const task = (): Step[] => {
    const steps: Step[] = []
    for (let nest = few ? 1 + random.below(2) : 1; nest > 0; nest--) {
      const held: { lock: number; shared: boolean }[] = []
      for (let depth = 1 + random.below(few ? 3 : 2); depth > 0; depth--) {
        const lock = random.below(3)
        if (held.some((h) => h.lock === lock)) continue
        const shared = random.chance(0.25)
        held.push({ lock, shared })
        steps.push([shared ? ACQUIRE_SHARED : ACQUIRE, lock])
        if (random.chance(0.15)) steps.push([random.chance(0.5) ? READ : WRITE, 0])
      }
      while (held.length > 0) {
        const [{ lock, shared }] = held.splice(random.chance(0.8) ? held.length - 1 : 0, 1) as [(typeof held)[number]]
        steps.push([shared ? RELEASE_SHARED : RELEASE, lock])
      }
    }
    return steps
  }
  return runOf(Array.from({ length: few ? 2 + random.below(2) : 4 }, task), random, order)
}

/** Two tasks with functions whose accesses lie in one section, in several, or in none. */
export function functionsWithLocks(seed: number, order: OrderKind): Trace {
  const random = new Random(Math.imul(seed + 1, 0x2545f491))
  const access = (): Step => [random.chance(0.4) ? READ : WRITE, random.chance(0.9) ? 0 : 1]
  const part = (): Step[] => {
    const accesses = Array.from({ length: 1 + random.below(2) }, access)
    const lock = random.below(2)
    return random.chance(0.6) ? [[ACQUIRE, lock], ...accesses, [RELEASE, lock]] : accesses
  }
  const task = (): Step[] => {
    const body = Array.from({ length: 1 + random.below(3) }, part).flat()
    return random.chance(0.8) ? [[ENTER, 0], ...body, [EXIT, 0]] : body
  }
  return runOf([task(), task(), ...(random.chance(0.3) ? [part()] : [])], random, order)
}
