/** Delays of what goes through the boundary: wrapped APIs, which have one start and one finish each. */
import { setBoundary } from '../boundary.ts'
import * as core from '../core.ts'
import { keepEarly, keepFromBeginning, nthToCome, type Give } from './early.ts'
import { beginsEarly, isEarly } from './guide.ts'
import { fromPoll, holdIfPlanned, isPlanned, keepScope } from './holds.ts'
import { overhear } from '../overhear.ts'
import { replace } from '../replace.ts'

/** Wrapped operations that have been started and have not finished. */
const running = new Set<core.Op>()
let compiling = 0
export const runningOperations = (): number => running.size + compiling

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
      if (!isPlanned(op)) {
        if (!beginsEarly(op)) return go()
        const inScope = keepScope()
        return keepFromBeginning(op, () => inScope(() => core.unseen(go)))
      }
      const inScope = keepScope()
      if (!holdIfPlanned(op, 1, 'start', () => inScope(() => core.unseen(go)))) go()
    },
    depart(op, start) {
      const inScope = isPlanned(op) ? keepScope() : undefined
      if (inScope === undefined || !holdIfPlanned(op, 1, 'start', () => inScope(start))) start()
    },
    finish(op, deliver) {
      running.delete(op)
      if (!isPlanned(op)) {
        // A client may tell several things before the program has heard of the first.
        const nth = nthToCome(op)
        if (!isEarly(op, nth)) return deliver()
        const inScope = keepScope()
        const give: Give = (done) =>
          fromPoll(() => {
            try {
              inScope(deliver)
            } finally {
              done()
            }
          })
        return keepEarly(op, give, nth)
      }
      const inScope = keepScope()
      if (!holdIfPlanned(op, 1, 'finish', () => fromPoll(() => inScope(deliver)))) deliver()
    },
  })
}

/** The engine compiles in threads of its own, and nothing tells. Node compiles that way, too, when an ES module imports its first CommonJS one. */
export function watchCompiling(): void {
  const engine = Reflect.get(globalThis, 'WebAssembly') as object
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']) {
    const before = Reflect.get(engine, name) as ((...args: unknown[]) => Promise<unknown>) | undefined
    if (before === undefined) continue
    replace(engine, name, function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const result = Reflect.apply(before, this, args)
      compiling++
      const ended = (): void => void compiling--
      overhear(result, ended, ended)
      return result
    } as never)
  }
}
