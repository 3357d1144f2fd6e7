/**
 * Locks made by hand where every step is counted (spin locks), and the numbers that steps have in a replay in which no thread finds one taken.
 *
 * A thread that waits for such a lock runs a loop: it reads the lock, or tries to take it, and between two tries come steps that no other thread sees
 * and the trace does not contain. None of that happens if the lock is free. What happens is one clean pass of the loop: from the last time that the
 * thread was at the first site of the loop, to the take. So the steps between the first and the last time at that site are left out, however many
 * they are:
 *
 *     read 1, read 1, read 0, try fails, read 1, read 0, take      replay: read 0, take
 *     ^ first                                    ^ last at that site
 *
 * If the last pass is not clean (a separate first try, then a loop elsewhere: the path from one to the other is not known for a free lock), the
 * numbers are unknown. Such cells are left as they are: then every try is part of the order, and is made again.
 */
import { withMadeLocks, type MadeLocks } from '../../causal/made-locks.ts'
import { ACQUIRE, CALL, isAcquire, isRead } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'
import { parseValue, type Value } from '../../trace/values.ts'
import type { Steps } from './steps.ts'

export interface SpunLocks {
  readonly made: MadeLocks
  /** Of every thread, rising: a step, and how many before it will not happen. */
  readonly gone: readonly Gone[]
}

export interface Gone {
  readonly step: readonly number[]
  readonly count: readonly number[]
}

export function spunLocks(steps: Steps): SpunLocks {
  const { trace, stepOf } = steps
  const except = new Set<string>()
  for (;;) {
    const made = withMadeLocks(trace, stepOf, except)
    const unclear = new Set<string>()
    const gone: Gone[] = []
    for (let t = 0; t < trace.taskCount; t++) gone.push(passes(steps, made, t, unclear))
    if (unclear.size === 0) return { made, gone }
    for (const cell of unclear) except.add(cell)
  }
}

/** `unclear` is told of cells whose last pass is not clean. */
function passes(steps: Steps, made: MadeLocks, task: TaskId, unclear: Set<string>): Gone {
  const { trace, stepOf } = steps
  if (made.locks.length === 0) return tryLoops(steps, task)
  const gone = { step: [] as number[], count: [] as number[] }
  const locks = new Set(made.locks)
  const other = made.trace
  let total = 0
  let kept = other.taskStart[task]!
  const keptEnd = other.taskStart[task + 1]!
  /** Reads of tries so far that are no part of the new trace. */
  let tries: EventId[] = []
  for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
    const step = stepOf[e]!
    while (kept < keptEnd && made.stepOf[kept]! < step) kept++
    const isKept = kept < keptEnd && made.stepOf[kept] === step
    if (!isKept) {
      if (isRead(trace.op[e]!) && locks.has(trace.targetName(e))) tries.push(e)
      continue
    }
    if (tries.length > 0 && other.op[kept] === ACQUIRE && trace.op[e] !== ACQUIRE && isRead(trace.op[e]!)) {
      const last = lastPass(trace, tries, e)
      if (last === NONE) unclear.add(trace.targetName(e))
      else if (last !== tries[0]) {
        total += stepOf[last]! - stepOf[tries[0]!]!
        gone.step.push(stepOf[last]!)
        gone.count.push(total)
      }
    }
    if (trace.op[e] !== CALL) tries = []
  }
  return gone
}

/** `while (pthread_mutex_trylock(&m)) …`: tries in vain at the place where the lock is then taken. A free lock is taken by the first. */
function tryLoops({ trace, stepOf }: Steps, task: TaskId): Gone {
  const gone = { step: [] as number[], count: [] as number[] }
  const vain = trace.tables.names.find('try failed')
  if (vain === NONE) return gone
  let total = 0
  let first: EventId = NONE
  for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
    if (trace.op[e] === CALL && trace.target[e] === vain) {
      if (first === NONE || trace.site[first] !== trace.site[e] || trace.value[first] !== trace.value[e]) first = e
      continue
    }
    if (first !== NONE && isAcquire(trace.op[e]!) && trace.site[e] === trace.site[first] && nameOf(trace, first) === trace.targetName(e)) {
      total += stepOf[e]! - stepOf[first]!
      gone.step.push(stepOf[e]!)
      gone.count.push(total)
    }
    if (trace.op[e] !== CALL) first = NONE
  }
  return gone
}

const nameOf = ({ tables, value }: Trace, e: EventId): Value => parseValue(tables.values.textOf(value[e]!))

/** The last time at the place of the first try, the take itself included, if from there on everybody saw the lock free; else NONE. */
function lastPass({ site, value }: Trace, tries: readonly EventId[], take: EventId): EventId {
  const all = [...tries, take]
  const from = all.findLastIndex((e) => site[e] === site[tries[0]!])
  return all.slice(from).every((e) => value[e] === value[take]) ? all[from]! : NONE
}
