/**
 * Where the tasks of a run could stop so that none can go on: each waits for a lock that another one holds, for a wake-up that does not come, or for
 * the end of a task that does not end; or it has ended. Found by trying all combinations of such positions, which is cheap as long as tasks block
 * rarely.
 */
import { ACQUIRE, ACQUIRE_SHARED, END, FORK, JOIN, WAKE, isAcquire, isRelease } from '../trace/ops.ts'
import type { Standing } from '../trace/joined.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import type { RunClass } from './class.ts'

/** Places of all tasks together that are tried. */
const MOST = 20_000

/** A place at which a task stops. */
interface Stop {
  readonly count: number
  /** What it stands before, NONE: nothing, it has ended or has not begun. */
  readonly op: number
  readonly target: string
  readonly held: ReadonlySet<string>
}

/** `onCut`: there are more than were tried. */
export function* stuckPlaces(of: RunClass, onCut: () => void): Generator<Int32Array> {
  const { threads, failed } = of.played
  const { trace, stands = [] } = threads
  const last = failed ? trace.taskOf(trace.recordedOrder().at(-1)!) : NONE
  const stops = Array.from({ length: trace.taskCount }, (_, t) => stopsOf(trace, t, stands, t === last))
  const forkOf = new Map<TaskId, EventId>()
  for (let e = 0; e < trace.eventCount; e++) if (trace.op[e] === FORK) forkOf.set(trace.target[e]!, e)
  if (!stops.some((all) => all.some(({ op }) => blocks(op)))) return
  let tried = 0
  const chosen: Stop[] = []
  function* choose(t: TaskId): Generator<Int32Array> {
    if (t === stops.length) {
      if (isStuck(trace, chosen, forkOf)) yield Int32Array.from(chosen, ({ count }) => count)
      return
    }
    for (const stop of stops[t]!) {
      if (++tried > MOST) return
      chosen.push(stop)
      yield* choose(t + 1)
      chosen.pop()
    }
  }
  yield* choose(0)
  if (tried > MOST) onCut()
}

const blocks = (op: number): boolean => op === ACQUIRE || op === ACQUIRE_SHARED || op === WAKE

function stopsOf(trace: Trace, task: TaskId, stands: readonly Standing[], failed: boolean): Stop[] {
  const from = trace.taskStart[task]!
  const end = trace.taskStart[task + 1]!
  const held = new Map<string, number>()
  const stops: Stop[] = []
  const add = (count: number, op: number, target: string): unknown =>
    stops.push({ count, op, target, held: new Set([...held].filter(([, depth]) => depth > 0).map(([lock]) => lock)) })
  add(0, NONE, '')
  for (let e = from; e < end; e++) {
    const op = trace.op[e]!
    const target = trace.targetName(e)
    const isInner = isAcquire(op) && (held.get(target) ?? 0) > 0
    if (e > from && ((blocks(op) && !isInner && !(isAcquire(op) && trace.op[e - 1] === WAKE)) || op === JOIN)) add(e - from, op, target)
    if (isAcquire(op)) held.set(target, (held.get(target) ?? 0) + 1)
    if (isRelease(op)) held.set(target, (held.get(target) ?? 0) - 1)
  }
  if (failed || from === end) return stops
  const standing = stands.find((one) => one.task === trace.taskName(task))?.events[0]
  if (trace.op[end - 1] === END) add(end - from, NONE, '')
  else if (standing && (blocks(standing[0]) || standing[0] === JOIN)) add(end - from, standing[0], standing[1] ?? '')
  return stops
}

/** Can nobody go on, and is somebody blocked who does not only wait for an end? */
function isStuck(trace: Trace, stops: readonly Stop[], forkOf: ReadonlyMap<TaskId, EventId>): boolean {
  const isRun = (e: EventId): boolean => e - trace.taskStart[trace.taskOf(e)]! < stops[trace.taskOf(e)]!.count
  const holder = new Map<string, TaskId>()
  for (const [t, { held }] of stops.entries())
    for (const lock of held) {
      if (holder.has(lock)) return false
      holder.set(lock, t)
    }
  let someBlocked = false
  for (const [t, { count, op, target }] of stops.entries()) {
    const fork = forkOf.get(t)
    if (count === 0) {
      // It has not begun: nobody made it. A task that the run has nothing of is left out.
      if (trace.taskStart[t] === trace.taskStart[t + 1]) continue
      if (fork === undefined || isRun(fork)) return false
    } else if (fork !== undefined && !isRun(fork)) return false
    if (op === JOIN) {
      const joined = trace.tables.tasks.find(target)
      if (stops[joined]!.op === NONE && stops[joined]!.count > 0) return false
    } else if (op === ACQUIRE || op === ACQUIRE_SHARED) {
      // Where it holds the lock itself, it was seen to stand there.
      if (!holder.has(target)) return false
    }
    someBlocked ||= blocks(op)
  }
  return someBlocked
}
