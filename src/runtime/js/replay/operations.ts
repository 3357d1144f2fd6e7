/** Holding what goes through the boundary: wrapped APIs, which have one start and one finish each. */
import { setBoundary } from '../boundary.ts'
import * as core from '../core.ts'
import { fromPoll, holdIfPlanned, isPlanned, keepScope } from './holds.ts'

/** Wrapped operations that have been started and have not finished. */
const running = new Set<core.Op>()
export const runningOperations = (): number => running.size

export function installOperations(): void {
  setBoundary({
    begin(op, start) {
      const go = (): void => {
        running.add(op)
        try {
          start()
        } catch (error) {
          running.delete(op)
          throw error
        }
      }
      if (!isPlanned(op)) return go()
      const inScope = keepScope()
      if (!holdIfPlanned(op, 1, 'start', () => inScope(() => core.unseen(go)))) go()
    },
    finish(op, deliver) {
      running.delete(op)
      if (!isPlanned(op)) return deliver()
      const inScope = keepScope()
      if (!holdIfPlanned(op, 1, 'finish', () => fromPoll(() => inScope(deliver)))) deliver()
    },
  })
}
