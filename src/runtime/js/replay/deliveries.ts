/**
 * The callbacks of one handle or request, one after the other: made at once, delayed by an instruction, or kept until their place in the recorded
 * order.
 */
import * as core from '../core.ts'
import { streamState } from '../stream-state.ts'
import { keepEarly, type Give } from './early.ts'
import { cannotCome, isEarly } from './guide.ts'
import { fromPoll, holdIfPlanned, isAnyPlanned, keepScope } from './holds.ts'
import { outsideEnded } from './outside.ts'
import { piecesOf } from './reads.ts'

export type Callback = (this: unknown, ...args: unknown[]) => unknown

export interface Deliveries {
  /** For the engine, in place of a callback. `reads`: it is given what a stream reads. */
  through(callback: () => Callback | undefined, reads: boolean): Callback
  /** The handle is closed: nothing more is given. */
  close(): void
}

const nothing = (): void => undefined

/** `brings`: the operation that the next delivery answers, where the handle is a connection that brings many. */
export function deliveriesOf(op: core.Op, brings: () => core.Op | undefined = () => undefined): Deliveries {
  /** Deliveries behind a postponed one. */
  const queue: Give[] = []
  let blocked = false
  let closed = false

  const drain = (): void => {
    blocked = false
    while (!blocked) {
      const next = queue.shift()
      if (next === undefined) return
      next(nothing)
    }
  }
  const postpone = (nth: number, deliver: Give): boolean => {
    const letGo = (): void => deliver(nothing)
    const named = isAnyPlanned() ? brings() : undefined
    if (!holdIfPlanned(op, nth, undefined, letGo) && !(named && holdIfPlanned(op, 1, undefined, letGo, named))) {
      if (!isEarly(op)) return false
      keepEarly(op, deliver)
    }
    blocked = true
    return true
  }
  return {
    through(callback, reads) {
      const run = (self: unknown, args: unknown[]): unknown => core.runInside(op, () => callback()?.apply(self, args))
      /** Every delivery comes from the poll phase on its own, as its own turn. */
      const later = (self: unknown, args: unknown[]): Give => {
        const inScope = keepScope()
        const restore = reads ? streamState() : (action: () => void): void => action()
        return (done) => {
          blocked = true
          fromPoll(() => {
            try {
              if (!closed) inScope(() => restore(() => run(self, args)))
            } finally {
              done()
              drain()
            }
          })
        }
      }
      /** `inTurn`: the engine calls back for this delivery, and for no other. */
      const offer = (self: unknown, args: unknown[], inTurn: boolean): unknown => {
        if (closed) return undefined
        if (blocked) {
          const deliver = later(self, args)
          const nth = op.dispatches + queue.length + 2
          queue.push((done) => {
            if (!postpone(nth, deliver)) deliver(done)
          })
          return undefined
        }
        if (inTurn && !isAnyPlanned() && !isEarly(op)) return run(self, args)
        const deliver = later(self, args)
        if (postpone(op.dispatches + 1, deliver)) return undefined
        if (inTurn) return run(self, args)
        deliver(nothing)
        return undefined
      }
      const pieces = reads ? piecesOf(op, (self, args, inTurn) => void offer(self, args, inTurn)) : undefined
      return function called(this: unknown, ...args) {
        outsideEnded(op)
        // Node itself calls it, as part of what runs: a child process that could not be started has ended.
        if (core.isInTurn() && !core.isBeside()) return callback()?.apply(this, args)
        // After a close only what is kept does not come any more.
        if (closed || core.isInTurn()) return run(this, args)
        if (pieces?.take(this, args)) return undefined
        return offer(this, args, true)
      }
    },
    close() {
      closed = true
      cannotCome(op)
    },
  }
}
