/**
 * Requests on one connection stay in order: behind a request that is delayed at its start, all later requests of the connection wait. A lane is one
 * such connection; its number is in the trace.
 */
import { boundary } from '../boundary.ts'
import { beside, type Op } from '../core.ts'

export interface Lane {
  readonly number: number
  /** Those that wait, in order; the first is held. Undefined when nothing is. */
  waiting: (() => void)[] | undefined
}

const lanes = new WeakMap<object, Lane>()
let count = 0

export function laneOf(shared: unknown): Lane | undefined {
  if (typeof shared !== 'object' || shared === null) return undefined
  let lane = lanes.get(shared)
  if (lane === undefined) lanes.set(shared, (lane = { number: ++count, waiting: undefined }))
  return lane
}

/** Makes the real call, now or when it may. `start` throws nothing. */
export function beginIn(lane: Lane | undefined, op: Op, start: () => void): void {
  const go = (): void => {
    let started = false
    boundary.begin(op, () => {
      started = true
      beside(start)
      if (lane?.waiting !== undefined) goOn(lane)
    })
    if (!started && lane !== undefined) lane.waiting ??= []
  }
  if (lane?.waiting === undefined) go()
  else lane.waiting.push(go)
}

/** What was held has begun, and those behind it may. */
function goOn(lane: Lane): void {
  const queue = lane.waiting!
  lane.waiting = undefined
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    next()
    // Another one is held: the rest waits behind it.
    if (lane.waiting !== undefined) {
      ;(lane.waiting as (() => void)[]).push(...queue)
      return
    }
  }
}
