/**
 * The accesses of all units by location and by unit, as columns. Of one unit and location only the first read that sees a write of another unit, and
 * the last write, are kept: turns are atomic, so no other unit sees the rest.
 */
import { EARLIER_READ, EARLIER_WRITE, READ, CHAIN, TURN_BEGIN, WRITE } from '../../trace/ops.ts'
import { NONE } from '../../trace/trace.ts'
import type { LoopView } from './turns.ts'
import { effectOf, type Unit } from '../../trace/loop.ts'

export interface Accesses {
  readonly count: number
  /** All that were recorded, before the ones nobody can see were dropped. */
  readonly recorded: number
  readonly unit: Int32Array
  readonly write: Uint8Array
  readonly location: Int32Array
  readonly site: Int32Array
  readonly value: Int32Array
  /** Chain of the access: an operation, or NONE for main. */
  readonly chain: Int32Array
  /** Number of the event, or of the last one it can have stood at. */
  readonly event: Int32Array
  /** Access i of the columns is in the order of its location: location l has locationStart[l] .. locationStart[l + 1] - 1, as recorded. */
  readonly locationStart: Int32Array
  /** The write a read saw or a write overwrote, as an access of the same location; NONE for the first. */
  readonly previousWrite: Int32Array
  /** Accesses of a unit, as indexes into the columns. */
  of(unit: Unit): Int32Array
  /** Has it any? */
  has(unit: Unit): boolean
}

export function collectAccesses(view: LoopView): Accesses {
  const { trace } = view
  const { op, taskStart, tables } = trace
  const isOne = (e: number): boolean => op[e] === READ || op[e] === WRITE || op[e] === EARLIER_READ || op[e] === EARLIER_WRITE
  let recorded = 0
  for (let e = 0; e < op.length; e++) if (isOne(e)) recorded++
  const event = new Int32Array(recorded)
  const unit = new Int32Array(recorded)
  const chain = new Int32Array(recorded)
  const happened = new Int32Array(recorded)
  const position = new Int32Array(recorded)
  const whole = tables.values.codeOf(0)
  let n = 0

  const loop = tables.tasks.find('loop')
  if (loop >= 0) {
    let turn = -1
    let segment = -1
    let running: number = NONE
    for (let e = taskStart[loop]!; e < taskStart[loop + 1]!; e++) {
      if (op[e] === TURN_BEGIN) running = view.turnOp[++turn]!
      else if (op[e] === CHAIN) running = view.segmentChain[++segment]!
      else if (isOne(e)) {
        event[n] = e
        const late = op[e] === EARLIER_READ || op[e] === EARLIER_WRITE
        const where = late ? trace.value[e]! - whole : NONE
        const known = late && where >= 0 && where < view.segmentTurn.length
        unit[n] = known ? view.segmentTurn[where]! : Math.max(turn, 0)
        chain[n] = known ? view.segmentChain[where]! : running
        // One written late stood somewhere in its segment: taken to be at the end.
        happened[n] = known ? (view.segmentEvent[where + 1] ?? e) - 1 : e
        position[n] = 2 * unit[n]! + 1
        n++
      }
    }
  }
  const outside = tables.tasks.find('off-loop')
  if (outside >= 0) {
    let current: number = NONE
    for (let e = taskStart[outside]!; e < taskStart[outside + 1]!; e++) {
      if (op[e] === TURN_BEGIN) current = view.findOp(trace.targetName(e))
      else if (isOne(e) && current !== NONE) {
        event[n] = e
        unit[n] = effectOf(current)
        // The flow that asked for it: what it does afterwards runs in the same chain (promises) or in the operation's own (callbacks).
        chain[n] = view.opChain[current]!
        position[n] = view.positionOf(unit[n]!)
        n++
      }
    }
  }

  const locations = tables.locations.size
  const touched = new Int32Array(n)
  for (let i = 0; i < n; i++) touched[i] = trace.target[event[i]!]!
  const order = sortBy(sortBy(upTo(n), position, 2 * view.turnCount + 1), touched, locations)
  return keepVisible(view, order, event, happened, unit, chain, touched, recorded)
}

function keepVisible(
  view: LoopView,
  order: Int32Array,
  event: Int32Array,
  happened: Int32Array,
  unitOf: Int32Array,
  chainOf: Int32Array,
  touched: Int32Array,
  recorded: number,
): Accesses {
  const { op, site: sites, value: values } = view.trace
  const locations = view.trace.tables.locations.size
  const n = order.length
  const unit = new Int32Array(n)
  const write = new Uint8Array(n)
  const location = new Int32Array(n)
  const site = new Int32Array(n)
  const value = new Int32Array(n)
  const chain = new Int32Array(n)
  const places = new Int32Array(n)
  const previousWrite = new Int32Array(n)
  const locationStart = new Int32Array(locations + 1)
  let count = 0
  let lastWrite: number = NONE
  let at = 0
  const put = (k: number, isWrite: number): void => {
    const e = event[k]!
    unit[count] = unitOf[k]!
    chain[count] = chainOf[k]!
    places[count] = happened[k]!
    write[count] = isWrite
    location[count] = touched[k]!
    // Effects stand where their operation was posted, unless they say otherwise.
    const post = unitOf[k]! < 0 ? view.opPostEvent[-1 - unitOf[k]!]! : NONE
    site[count] = sites[e] === NONE && post !== NONE ? sites[post]! : sites[e]!
    value[count] = op[e] === WRITE ? values[e]! : 0
    previousWrite[count] = lastWrite
    if (isWrite) lastWrite = count
    count++
  }
  for (let l = 0; l < locations; l++) {
    locationStart[l] = count
    lastWrite = NONE
    while (at < n && touched[order[at]!] === l) {
      // The accesses of one unit to this location: at most one read and one write of them stay.
      const u = unitOf[order[at]!]!
      let read: number = NONE
      let wrote: number = NONE
      for (; at < n && unitOf[order[at]!] === u && touched[order[at]!] === l; at++) {
        const k = order[at]!
        const o = op[event[k]!]
        if (o === WRITE || o === EARLIER_WRITE) wrote = k
        else if (wrote === NONE && read === NONE) read = k
      }
      if (read !== NONE) put(read, 0)
      if (wrote !== NONE) put(wrote, 1)
    }
  }
  locationStart[locations] = count

  // By unit: effects first, so that one array can be indexed by opCount + unit.
  const shift = view.opCount
  const key = new Int32Array(count)
  for (let i = 0; i < count; i++) key[i] = unit[i]! + shift
  const byUnit = sortBy(upTo(count), key, shift + view.turnCount)
  const unitStart = new Int32Array(shift + view.turnCount + 1)
  for (let i = 0; i < count; i++) unitStart[key[i]! + 1]!++
  for (let i = 1; i < unitStart.length; i++) unitStart[i]! += unitStart[i - 1]!
  return {
    count,
    recorded,
    unit: unit.subarray(0, count),
    write: write.subarray(0, count),
    location: location.subarray(0, count),
    site: site.subarray(0, count),
    value: value.subarray(0, count),
    chain: chain.subarray(0, count),
    event: places.subarray(0, count),
    previousWrite: previousWrite.subarray(0, count),
    locationStart,
    of: (u) => byUnit.subarray(unitStart[u + shift]!, unitStart[u + shift + 1]!),
    has: (u) => unitStart[u + shift]! < unitStart[u + shift + 1]!,
  }
}

function upTo(n: number): Int32Array {
  const numbers = new Int32Array(n)
  for (let i = 0; i < n; i++) numbers[i] = i
  return numbers
}

/** A stable counting sort of `items` by key[item], for keys below `size`. */
function sortBy(items: Int32Array, key: Int32Array, size: number): Int32Array {
  const start = new Int32Array(size + 1)
  for (let i = 0; i < items.length; i++) start[key[items[i]!]! + 1]!++
  for (let k = 0; k < size; k++) start[k + 1]! += start[k]!
  const out = new Int32Array(items.length)
  for (let i = 0; i < items.length; i++) out[start[key[items[i]!]!]!++] = items[i]!
  return out
}
