/**
 * The two points where an operation leaves the program and where it comes back. Every wrapped API goes through these two functions, so that a replay
 * can delay an operation before it starts or before the program learns of its end. The recorder delays nothing.
 *
 * Order of calls for one operation: core.post (the label exists, listeners know it), `begin` once, `finish` once unless `start` threw or the
 * operation never ends.
 */
import type { Op } from './core.ts'

export interface Boundary {
  /**
   * `start` makes the real call, already under core.unseen: the requests Node makes underneath are nobody's. It may throw (wrong arguments);
   * when it runs at once the error goes to the program as it should. Nothing the program sees depends on when it runs.
   */
  begin(op: Op, start: () => void): void
  /**
   * The operation has ended. `deliver` calls the program's callback, or settles its promise, as a turn of `op` (it calls core.runInside
   * itself; to call it inside another runInside of the same op does no harm). `finish` is called from the engine's own callback: async
   * scope and phase are the natural ones, and whoever postpones `deliver` has to restore the scope.
   */
  finish(op: Op, deliver: () => void): void
  /** The same as `begin` for what the program does itself: it belongs to the chain, and what comes of it may take as long as the program does. */
  depart(op: Op, start: () => void): void
}

const atOnce: Boundary = {
  begin: (_op, start) => start(),
  finish: (_op, deliver) => deliver(),
  depart: (_op, start) => start(),
}

/** The boundary in force. Wrappers read it at each call. */
export let boundary: Boundary = atOnce

/** The replayer puts itself in; before the program's first line. */
export function setBoundary(next: Boundary): void {
  boundary = next
}
