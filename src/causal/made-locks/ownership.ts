/**
 * The first half of recognising locks: walks the recorded order and follows, for every cell, to which task it belongs. Cells for which that does not
 * work out are dropped. What must stand next to what inside a task is the second half (runs.ts).
 */
import { ATOMIC_READ, OPS, UPDATE, WRITE, isAccess, isRead, isWrite } from '../../trace/ops.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import { Later } from './initial.ts'
import { ATTEMPT, HALF, MARKED, OWN, RELEASED, TAKEN, type Roles } from './roles.ts'

const WAITERS = 'waiters of '
const SEVERAL = -2

/** Undefined when no cell can be a lock. */
export function ownership(trace: Trace): Roles | undefined {
  const isLock = candidates(trace)
  if (!isLock) return undefined
  const { op, target, value } = trace
  const locations = isLock.length
  const role = new Uint8Array(trace.eventCount)
  const sawTaken = new Uint8Array(trace.eventCount)
  const plain = new Uint8Array(locations)
  const task = tasksOf(trace)
  const later = new Later(trace, task)

  /** Per cell: the last of the writes it began with, the free value, the owner, what it holds, who wrote that, and who took it so far. */
  const first = new Int32Array(locations).fill(NONE)
  const free = new Int32Array(locations).fill(NOT_OBSERVED)
  const owner = new Int32Array(locations).fill(NONE)
  const holds = new Int32Array(locations).fill(NOT_OBSERVED)
  const writer = new Int32Array(locations).fill(NONE)
  const takers = new Int32Array(locations).fill(NONE)
  const order = trace.recordedOrder()
  for (let i = 0; i < order.length; i++) {
    const e = order[i]!
    const o = op[e]!
    if (!isAccess(o)) continue
    const x = target[e]!
    if (isLock[x] === 0 || o === UPDATE) continue
    const t = task[e]!
    const v = value[e]!
    const updates = o === ATOMIC_READ && e + 1 < op.length && op[e + 1] === UPDATE && task[e + 1] === t
    if (v === NOT_OBSERVED || (updates && value[e + 1] === NOT_OBSERVED)) {
      isLock[x] = 0
      continue
    }
    if (isWrite(o) && (free[x] === NOT_OBSERVED || (first[x] !== NONE && task[first[x]!] === t && writer[x] === NONE))) {
      // What it is given before anybody looks at it.
      first[x] = e
      free[x] = holds[x] = v
      continue
    }
    if (free[x] === NOT_OBSERVED) free[x] = holds[x] = v
    if ((first[x] !== NONE && !later.isAfter(e, first[x]!)) || (isRead(o) && v !== holds[x])) {
      isLock[x] = 0
      continue
    }
    const F = free[x]!
    const mine = owner[x] === t
    if (updates) {
      const w = value[e + 1]!
      if (owner[x] === NONE) {
        if (v !== F || w === F) isLock[x] = 0
        role[e] = TAKEN
        role[e + 1] = HALF
        owner[x] = t
        if (takers[x] === NONE) takers[x] = t
        else if (takers[x] !== t) takers[x] = SEVERAL
      } else if (!mine) {
        if (v === F || w === F) isLock[x] = 0
        role[e] = role[e + 1] = ATTEMPT
        sawTaken[e] = 1
      } else if (w === F) {
        role[e] = RELEASED
        role[e + 1] = HALF
        owner[x] = NONE
      } else role[e] = role[e + 1] = writer[x] === t ? OWN : MARKED
      holds[x] = w
      writer[x] = t
    } else if (isWrite(o)) {
      if (!mine) isLock[x] = 0
      else if (v === F) {
        role[e] = RELEASED
        owner[x] = NONE
        if (o === WRITE) plain[x] = 1
      } else role[e] = OWN
      holds[x] = v
      writer[x] = t
    } else if (mine) role[e] = writer[x] === t ? OWN : MARKED
    else {
      // A look at the free value leaves the first writes behind as well.
      if (writer[x] === NONE) writer[x] = SEVERAL
      role[e] = ATTEMPT
      sawTaken[e] = Number(v !== F)
    }
  }
  let any = 0
  for (let x = 0; x < locations; x++) {
    if (takers[x] !== SEVERAL) isLock[x] = 0
    any |= isLock[x]!
  }
  return any === 0 ? undefined : { role, cellOf: cellsOf(trace, isLock), isLock, plain, sawTaken }
}

/** Cells that two tasks update, as a column of flags; undefined when there is none. */
function candidates({ op, target, taskStart, taskCount, tables }: Trace): Uint8Array | undefined {
  const first = new Int32Array(tables.locations.size).fill(NONE)
  const isLock = new Uint8Array(tables.locations.size)
  let any = false
  for (let t = 0; t < taskCount; t++) {
    for (let e = taskStart[t]!; e < taskStart[t + 1]!; e++) {
      if (op[e] !== UPDATE) continue
      const x = target[e]!
      if (first[x] === NONE) first[x] = t
      else if (first[x] !== t) any = (isLock[x] = 1) === 1
    }
  }
  return any ? isLock : undefined
}

/** Lists of waiters and signals have the name of their cell. */
function cellsOf({ op, target, tables }: Trace, isLock: Uint8Array): (event: EventId) => number {
  const ofLocation = Int32Array.from(isLock, (yes, x) => (yes === 1 ? x : NONE))
  const ofLock = new Int32Array(tables.locks.size).fill(NONE)
  const ofSignal = new Int32Array(tables.signals.size).fill(NONE)
  for (let x = 0; x < isLock.length; x++) {
    if (isLock[x] === 0) continue
    const name = tables.locations.at(x)
    const lock = tables.locks.find(WAITERS + name)
    const signal = tables.signals.find(name)
    if (lock !== NONE) ofLock[lock] = x
    if (signal !== NONE) ofSignal[signal] = x
  }
  const table = OPS.map(({ target: kind }, o) =>
    isAccess(o) ? ofLocation : kind === 'lock' ? ofLock : kind === 'signal' ? ofSignal : undefined,
  )
  return (e) => table[op[e]!]?.[target[e]!] ?? NONE
}

function tasksOf({ taskStart, taskCount, eventCount }: Trace): Int32Array {
  const task = new Int32Array(eventCount)
  for (let t = 0; t < taskCount; t++) task.fill(t, taskStart[t], taskStart[t + 1])
  return task
}
