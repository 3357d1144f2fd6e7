/**
 * Peers of bench/engine.ts, written from their papers in the same language and over the same columns.
 *
 *   shb     What happens-after the first race? (Mathur, Kini, Viswanathan, OOPSLA 2018): vector clocks, one pass, racy accesses. Sound for every race.
 *   syncp   Optimal prediction of synchronization-preserving races (Mathur, Pavlogiannis, Viswanathan, POPL 2021): for each access and each other task the
 *           earliest conflicting access that a sync-preserving reordering can put beside it; closures only grow, so each list is walked once.
 *
 * Both report racy accesses, not causes, give no order that shows them, and know data races only.
 */
import { Causality } from '../src/causal/causality.ts'
import { MustOrder } from '../src/causal/must-order.ts'
import { FORK, JOIN, isAcquire, isRead, isRelease, isWrite } from '../src/trace/ops.ts'
import type { EventId, Trace } from '../src/trace/trace.ts'

export interface Racy {
  /** Accesses that race with an earlier one. */
  readonly events: Set<EventId>
}

export function shb(trace: Trace): Racy {
  const tasks = trace.taskCount
  const events = new Set<EventId>()
  const clock = Array.from({ length: tasks }, (_, t) => {
    const c = new Int32Array(tasks)
    c[t] = 1
    return c
  })
  const ofLock: (Int32Array | undefined)[] = []
  const lastWrite: (Int32Array | undefined)[] = []
  const reads: (Int32Array | undefined)[] = []
  const writes: (Int32Array | undefined)[] = []
  const join = (to: Int32Array, from: Int32Array | undefined): void => {
    if (from) for (let u = 0; u < tasks; u++) if (from[u]! > to[u]!) to[u] = from[u]!
  }
  const isBelow = (a: Int32Array | undefined, b: Int32Array): boolean => {
    if (a) for (let u = 0; u < tasks; u++) if (a[u]! > b[u]!) return false
    return true
  }
  for (const e of trace.recordedOrder()) {
    const t = trace.taskOf(e)
    const op = trace.op[e]!
    const x = trace.target[e]!
    const c = clock[t]!
    if (isAcquire(op)) join(c, ofLock[x])
    else if (isRelease(op)) {
      ;(ofLock[x] ??= new Int32Array(tasks)).set(c)
      c[t]!++
    } else if (op === FORK) {
      join(clock[x]!, c)
      c[t]!++
    } else if (op === JOIN) join(c, clock[x])
    else if (isRead(op)) {
      if (!isBelow(writes[x], c)) events.add(e)
      join(c, lastWrite[x])
      ;(reads[x] ??= new Int32Array(tasks))[t] = c[t]!
    } else if (isWrite(op)) {
      if (!isBelow(writes[x], c) || !isBelow(reads[x], c)) events.add(e)
      ;(lastWrite[x] ??= new Int32Array(tasks)).set(c)
      ;(writes[x] ??= new Int32Array(tasks))[t] = c[t]!
      c[t]!++
    }
  }
  return { events }
}

export function syncPreserving(trace: Trace): Racy {
  // Thread order, reads-from, fork and join as clocks: the timestamps of the paper. The read before an access is kept as well, as in the paper.
  const causality = new Causality(trace, 'data')
  const must = new MustOrder(causality)
  const { sections, task } = causality
  const tasks = trace.taskCount
  const events = new Set<EventId>()

  /** Closes `runs` under sync-preservation: of the sections of a lock that begin in it all but the last recorded one end in it. */
  const close = (runs: Int32Array): void => {
    for (let grew = true; grew;) {
      grew = false
      for (let t = 0; t < tasks; t++) {
        if (runs[t] === 0) continue
        for (let h = sections.headBefore(trace.taskStart[t]! + runs[t]!, t); h !== -1; h = sections.rest(h)) {
          const s = sections.sectionAt(h)
          const release = sections.release[s]!
          if (release === -1) continue
          const lock = sections.lock[s]!
          for (let u = 0; u < tasks; u++) {
            if (u === t || runs[u] === 0) continue
            const i = sections.lastOf(lock, trace.taskStart[u]! + runs[u]!)
            if (i < sections.lockStart[lock]!) continue
            const other = sections.lockSections[i]!
            if (sections.task[other] !== u || !causality.earlier(sections.acquire[s]!, sections.acquire[other]!)) continue
            must.joinPast(release, runs)
            grew = true
            break
          }
        }
      }
    }
  }

  const byLocation = new Map<number, Map<number, EventId[]>>() // then by task and op
  for (let e = 0; e < trace.eventCount; e++) {
    const op = trace.op[e]!
    if (!isRead(op) && !isWrite(op)) continue
    let lists = byLocation.get(trace.target[e]!)
    if (!lists) byLocation.set(trace.target[e]!, (lists = new Map()))
    const key = 2 * task[e]! + (isWrite(op) ? 1 : 0)
    const list = lists.get(key)
    if (list) list.push(e)
    else lists.set(key, [e])
  }
  const reach = (e: EventId, runs: Int32Array): void => causality.edgesToReach(e, (from) => must.joinPast(from, runs))
  const isIn = (e: EventId, runs: Int32Array): boolean => causality.positionOf(e) < runs[task[e]!]!
  for (const lists of byLocation.values()) {
    for (const [mine, later] of lists) {
      for (const [theirs, earlier] of lists) {
        if (mine >> 1 === theirs >> 1 || ((mine | theirs) & 1) === 0) continue
        const runs = new Int32Array(tasks)
        let at = 0
        for (const e of later) {
          reach(e, runs)
          for (; at < earlier.length && causality.earlier(earlier[at]!, e); at++) {
            reach(earlier[at]!, runs)
            close(runs)
            if (isIn(e, runs)) break
            if (isIn(earlier[at]!, runs)) continue
            events.add(e)
            break
          }
        }
      }
    }
  }
  return { events }
}
