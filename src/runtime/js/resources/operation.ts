/**
 * A wrapped operation: posted under one label, begun and finished through the boundary. Its effects on resources are written to the trace when it has
 * finished. Requests that Node makes internally are not recorded.
 */
import { READ, WRITE } from '../../../trace/ops.ts'
import { boundary } from '../boundary.ts'
import { post, runInside, unseen, type Kind, type Op } from '../core.ts'
import type { Effect, Session } from '../session.ts'

/** What an operation reads and writes. A failed one is told its error; a finished one its result. */
export interface Plan {
  effects(error: unknown, result: unknown): readonly Effect[]
}

const pending = new Map<Op, Plan>()
let session: Session | undefined

export function startOperations(in_: Session): void {
  session = in_
  // What never finished may have happened: it is taken to have succeeded.
  session.beforeEnd.push(() => {
    for (const [op, plan] of pending) settleEffects(op, plan, undefined, undefined)
  })
}

export const read = (location: string): Effect => ({ op: READ, location })
export const write = (location: string): Effect => ({ op: WRITE, location })

function settleEffects(op: Op, plan: Plan, error: unknown, result: unknown): void {
  try {
    session?.addEffects(op, plan.effects(error, result), op.site)
  } catch {
    // Odd arguments that Node took and we could not read: the operation has no known effect.
  }
}

export function postOperation(kind: Kind, type: string, resource: object, plan: Plan): Op {
  const op = post(kind, type, resource)
  pending.set(op, plan)
  return op
}

export function begin<T>(op: Op, start: () => T): T | undefined {
  let result: T | undefined
  try {
    boundary.begin(op, () => {
      result = unseen(start)
    })
  } catch (error) {
    // Wrong arguments: nothing was started.
    pending.delete(op)
    throw error
  }
  return result
}

/** The operation is over: its effects are known, and the program gets to hear of it. */
export function finish(op: Op, error: unknown, result: unknown, deliver: () => unknown): void {
  const plan = pending.get(op)
  if (plan !== undefined) {
    pending.delete(op)
    settleEffects(op, plan, error, result)
  }
  boundary.finish(op, () => {
    runInside(op, deliver)
  })
}
